"""The vectors of one scope, scanned exactly, with the columns that filters compare beside them.

Rows are only ever appended, and a row that is replaced or deleted is marked dead, so that a scan needs no lock: it
takes the arrays and the number of rows as they are at that moment. Whoever answers from a scan re-reads the rows
(``search``), since one may have died meanwhile.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from reflexio_core.errors import ModelMismatch
from reflexio_core.ports.index import IndexFilter

Floats = NDArray[np.float32]
Mask = NDArray[np.bool_]

_BOOKKEEPING_BYTES = 150
"""What Python spends on a row beside the arrays."""

_FEW = 0.2
"""Below this share of rows that pass a filter, gathering them costs less than scoring all."""


@dataclass(frozen=True, slots=True)
class Row:
    """A document as a matrix holds it: its number, its vector as float32 bytes, and what filters compare."""

    doc: int
    vector: bytes
    fields: Mapping[str, str]
    tags: Sequence[str]
    time: int
    expires_at: int


class _Column:
    """A field's values as small numbers; 0 stands for the empty text."""

    def __init__(self, capacity: int) -> None:
        self.codes: NDArray[np.int32] = np.zeros(capacity, dtype=np.int32)
        self.code_of: dict[str, int] = {"": 0}


class Matrix:
    """Vectors of ``dimension`` floats. One thread at a time may write, any number may scan meanwhile."""

    def __init__(self, dimension: int, capacity: int = 64) -> None:
        self._dimension = dimension
        self._vectors: Floats = np.zeros((capacity, dimension), dtype=np.float32)
        self._docs = np.zeros(capacity, dtype=np.int64)
        self._times = np.zeros(capacity, dtype=np.int64)
        self._expiries = np.zeros(capacity, dtype=np.int64)
        self._alive: Mask = np.zeros(capacity, dtype=np.bool_)
        self._columns: dict[str, _Column] = {}
        self._tagged: dict[str, list[int]] = {}
        self._places: dict[int, int] = {}
        self._count = 0

    @property
    def size_bytes(self) -> int:
        """Memory of the arrays and, by estimate, of the rest."""
        columns = sum(column.codes.nbytes for column in self._columns.values())
        fixed = self._vectors.nbytes + self._docs.nbytes * 3 + self._alive.nbytes
        return int(fixed + columns + self._count * _BOOKKEEPING_BYTES)

    @property
    def worth_packing(self) -> bool:
        """Whether a quarter of the rows are dead."""
        return self._count > 256 and len(self._places) < 0.75 * self._count

    def put(self, row: Row) -> None:
        """Add or replace a row. Raises ``ModelMismatch`` for a vector of another dimension."""
        if len(row.vector) != 4 * self._dimension:
            raise ModelMismatch(
                f"the index holds a vector of {len(row.vector) // 4} dimensions beside others of {self._dimension}"
            )
        self.drop(row.doc)
        place = self._count
        if place == len(self._docs):
            self._grow()
        self._vectors[place] = np.frombuffer(row.vector, dtype=np.float32)
        self._docs[place] = row.doc
        self._times[place] = row.time
        self._expiries[place] = row.expires_at
        for name, value in row.fields.items():
            if value:
                column = self._columns.get(name) or self._add_column(name)
                column.codes[place] = column.code_of.setdefault(value, len(column.code_of))
        for tag in row.tags:
            self._tagged.setdefault(tag, []).append(place)
        self._alive[place] = True
        self._places[row.doc] = place
        self._count = place + 1

    def drop(self, doc: int) -> None:
        """Remove a row, if it is there."""
        place = self._places.pop(doc, None)
        if place is not None:
            self._alive[place] = False

    def nearest(
        self,
        query: Floats,
        where: IndexFilter,
        floor: float,
        limit: int,
        *,
        only: Iterable[int] | None = None,
        without: Iterable[int] = (),
    ) -> list[tuple[int, float]]:
        """Up to ``limit`` (document, cosine) above the floor that pass the filter, best first, newer before older at
        equal scores. ``only`` and ``without`` are documents that conditions outside the columns allow or rule out."""
        count = self._count
        vectors, docs = self._vectors[:count], self._docs[:count]
        passing = self._passing(count, where)
        if only is not None:
            allowed = np.zeros(count, dtype=np.bool_)
            allowed[self._placed(only, count)] = True
            passing &= allowed
        passing[self._placed(without, count)] = False
        places = np.flatnonzero(passing)
        few = len(places) < _FEW * count
        scores = np.vecdot(vectors[places], query) if few else np.vecdot(vectors, query)[places]
        above = scores > floor
        places, scores = places[above], scores[above]
        if len(scores) > limit:
            # Everything from the last place on, so that ties are broken below and not by the partition.
            last = -np.partition(-scores, limit - 1)[limit - 1]
            kept = scores >= last
            places, scores = places[kept], scores[kept]
        numbers = docs[places]
        order = np.lexsort((numbers, -self._times[places], -scores))[:limit]
        return list(zip(numbers[order].tolist(), scores[order].tolist(), strict=True))

    def _passing(self, count: int, where: IndexFilter) -> Mask:
        passing = self._alive[:count] & (self._expiries[:count] > where.now)
        for name, value in where.equals.items():
            passing &= self._with_value(name, (value,), count)
        for name, values in where.any_of.items():
            passing &= self._with_value(name, values, count)
        if where.tags:
            tagged = np.zeros(count, dtype=np.bool_)
            for tag in where.tags:
                tagged[[place for place in self._tagged.get(tag, ()) if place < count]] = True
            passing &= tagged
        if where.start is not None:
            passing &= self._times[:count] >= where.start
        if where.end is not None:
            passing &= self._times[:count] < where.end
        return passing

    def _with_value(self, name: str, values: Sequence[str], count: int) -> Mask:
        column = self._columns.get(name)
        if column is None:
            return np.full(count, "" in values, dtype=np.bool_)
        codes = column.codes[:count]
        wanted = [column.code_of[value] for value in values if value in column.code_of]
        mask: Mask = codes == wanted[0] if len(wanted) == 1 else np.isin(codes, wanted)
        return mask

    def _placed(self, docs: Iterable[int], count: int) -> list[int]:
        places = (self._places.get(doc, count) for doc in docs)
        return [place for place in places if place < count]

    def _add_column(self, name: str) -> _Column:
        column = self._columns[name] = _Column(len(self._docs))
        return column

    def _grow(self) -> None:
        # By a half: twice would hold a scope of 100,000 rows in the memory of 200,000.
        more = max(64, len(self._docs) // 2)
        self._vectors = np.concatenate([self._vectors, np.zeros((more, self._dimension), dtype=np.float32)])
        self._docs = np.concatenate([self._docs, np.zeros(more, dtype=np.int64)])
        self._times = np.concatenate([self._times, np.zeros(more, dtype=np.int64)])
        self._expiries = np.concatenate([self._expiries, np.zeros(more, dtype=np.int64)])
        self._alive = np.concatenate([self._alive, np.zeros(more, dtype=np.bool_)])
        for column in self._columns.values():
            column.codes = np.concatenate([column.codes, np.zeros(more, dtype=np.int32)])
