"""Vectors in memory, one matrix a scope, scanned exactly.

A scope is one user's documents of a kind, or a tenant's. It is read from the file at its first search and kept up to
date by every later write. Memory: 4 bytes x dimension a row (1.5 KB at 384 dimensions: 154 MB for 100,000 rows), at
most ``BUDGET_BYTES`` in all; beyond that the scope searched longest ago is dropped and read again when needed.
"""

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Matrix = NDArray[np.float32]

BUDGET_BYTES = 512 * 1024 * 1024

ScopeName = tuple[str, str, str | None]
"""Tenant, kind, user (None: all of the tenant's)."""


class Scope:
    """Rows of a matrix by document number. Not thread-safe; ``VectorCache`` locks."""

    def __init__(self, dimension: int, rows: Iterable[tuple[int, bytes]]) -> None:
        import numpy as np

        found = list(rows)
        capacity = max(16, len(found))
        self._matrix: Matrix = np.zeros((capacity, dimension), dtype=np.float32)
        self._numbers = np.zeros(capacity, dtype=np.int64)
        self._places: dict[int, int] = {}
        for number, blob in found:
            self.put(number, blob)

    @property
    def size_bytes(self) -> int:
        """Memory of the matrix."""
        return int(self._matrix.nbytes)

    def put(self, number: int, blob: bytes) -> None:
        """Add or replace a row."""
        import numpy as np

        place = self._places.get(number)
        if place is None:
            place = len(self._places)
            if place == len(self._matrix):
                self._matrix = np.concatenate([self._matrix, np.zeros_like(self._matrix)])
                self._numbers = np.concatenate([self._numbers, np.zeros_like(self._numbers)])
            self._places[number] = place
            self._numbers[place] = number
        self._matrix[place] = np.frombuffer(blob, dtype=np.float32)

    def drop(self, number: int) -> None:
        """Remove a row, if it is there."""
        place = self._places.pop(number, None)
        if place is None:
            return
        last = len(self._places)
        if place != last:
            moved = int(self._numbers[last])
            self._matrix[place] = self._matrix[last]
            self._numbers[place] = moved
            self._places[moved] = place

    def nearest(self, query: "Matrix", floor: float, first: int) -> Iterator[list[tuple[int, float]]]:
        """Batches of (number, cosine) above the floor, best first; ``first`` rows, then twice as many each time."""
        import numpy as np

        count = len(self._places)
        scores = self._matrix[:count] @ query
        above = np.flatnonzero(scores > floor)
        shown: set[int] = set()
        if len(above) > first:
            # The few best, without sorting the rest: mostly nobody asks for more.
            best = self._ranked(scores, above[np.argpartition(-scores[above], first - 1)[:first]])
            shown = {number for number, _ in best}
            yield best
        rest = [entry for entry in self._ranked(scores, above) if entry[0] not in shown]
        size = first
        while rest:
            yield rest[:size]
            rest = rest[size:]
            size *= 2

    def _ranked(self, scores: "Matrix", places: "NDArray[np.intp]") -> list[tuple[int, float]]:
        import numpy as np

        numbers = self._numbers[places]
        order = np.lexsort((numbers, -scores[places]))
        return [(int(numbers[at]), float(scores[places[at]])) for at in order]


class VectorCache:
    """Scopes by name, least recently searched out first."""

    def __init__(self, budget_bytes: int = BUDGET_BYTES) -> None:
        self._budget = budget_bytes
        self._scopes: OrderedDict[ScopeName, Scope] = OrderedDict()
        self.lock = threading.RLock()

    def scope(self, name: ScopeName, load: Callable[[], Scope]) -> Scope:
        """The scope, loaded if it is not there. Hold ``lock`` while using it."""
        with self.lock:
            found = self._scopes.get(name)
            if found is None:
                found = self._scopes[name] = load()
            self._scopes.move_to_end(name)
            while len(self._scopes) > 1 and sum(scope.size_bytes for scope in self._scopes.values()) > self._budget:
                self._scopes.popitem(last=False)
            return found

    def put(self, tenant: str, kind: str, user: str, number: int, vector: bytes | None) -> None:
        """Bring the loaded scopes of a document up to date."""
        with self.lock:
            for name in ((tenant, kind, user), (tenant, kind, None)):
                scope = self._scopes.get(name)
                if scope is None:
                    continue
                if vector is None:
                    scope.drop(number)
                else:
                    scope.put(number, vector)

    def clear(self) -> None:
        """Forget everything; the next searches read the file."""
        with self.lock:
            self._scopes.clear()
