"""Every statement of the SQLite store finds its rows by an index: none reads the whole table."""

import sqlite3
from pathlib import Path

import pytest

from reflexio_core.adapters.sqlite import SqliteStore
from reflexio_core.adapters.sqlite.rows import Statement, select_index, select_keys, select_partition
from reflexio_core.ports.store import IndexQuery, Key, PartitionQuery, SparseIndex

STATEMENTS: dict[str, Statement] = {
    "one key": select_keys([Key("p", "s")]),
    "many keys": select_keys([Key("p", f"s{number}") for number in range(50)]),
    "partition": select_partition(PartitionQuery("p", "a", "b", 10), None),
    "partition backwards, continued": select_partition(PartitionQuery("p", "a", "b", 10, reverse=True), ("c",)),
    **{f"{index} index": select_index(IndexQuery(index, "h", "a", "b", 10), ("s", "p", "k")) for index in SparseIndex},
}


@pytest.mark.parametrize("name", STATEMENTS)
def test_no_statement_scans_the_table(name: str, tmp_path: Path) -> None:
    SqliteStore(tmp_path / "store.db").close()
    connection = sqlite3.connect(tmp_path / "store.db")
    sql, parameters = STATEMENTS[name]
    steps = [row[3] for row in connection.execute(f"EXPLAIN QUERY PLAN {sql}", parameters)]
    connection.close()
    assert any(step.startswith("SEARCH items USING") for step in steps), steps
    assert not [step for step in steps if step.startswith("SCAN items")], steps
