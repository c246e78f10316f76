"""One constructor makes every key and every query, and it needs a tenant."""

import ast
from collections.abc import Iterator

from tests.architecture.sources import Module, modules

MADE_IN_ONE_PLACE = frozenset(
    {"Key", "IndexKey", "PartitionQuery", "IndexQuery", "IndexFilter", "DocRef", "TenantKeys"}
)
CONSTRUCTOR = "reflexio_core.keys"

READ_BACK = {
    "reflexio_core.adapters.dynamodb.attributes": {"Key", "IndexKey"},
    "reflexio_core.adapters.dynamodb.store": {"IndexKey"},
    "reflexio_core.adapters.sqlite.rows": {"Key", "IndexKey"},
    "reflexio_core.adapters.sqlite.store": {"Key"},
    "reflexio_core.adapters.sqlite_index.documents": {"DocRef"},
    "reflexio_core.adapters.sqlite_index.index": {"DocRef"},
}
"""Adapters turn what they stored back into the values it was made from; none of these invents a name."""

TENANT_OF_THE_CALLER = {"reflexio_core.engine.context": {"TenantKeys"}}
"""The engine hands out the constructor for a tenant that authentication gave."""


def constructions(module: Module) -> Iterator[tuple[str, int]]:
    """Calls of the guarded classes, whatever they are called here: ``import Key as K`` hides nothing."""
    called = {name: name for name in MADE_IN_ONE_PLACE}
    for node in ast.walk(module.tree):
        if isinstance(node, ast.ImportFrom):
            called |= {
                alias.asname or alias.name: alias.name for alias in node.names if alias.name in MADE_IN_ONE_PLACE
            }
    for node in ast.walk(module.tree):
        if not isinstance(node, ast.Call):
            continue
        function = node.func
        name = function.id if isinstance(function, ast.Name) else getattr(function, "attr", "")
        if called.get(name) in MADE_IN_ONE_PLACE:
            yield called[name], node.lineno


def test_nothing_outside_the_constructor_builds_a_key_or_a_query() -> None:
    allowed = {**READ_BACK, **TENANT_OF_THE_CALLER}
    found = [
        f"{module.where(line)} builds a {name}"
        for module in modules("reflexio_core")
        if module.name != CONSTRUCTOR
        for name, line in constructions(module)
        if name not in allowed.get(module.name, set())
    ]
    assert found == []


def test_every_exception_to_the_rule_is_still_needed() -> None:
    for name, classes in {**READ_BACK, **TENANT_OF_THE_CALLER}.items():
        [module] = [module for module in modules("reflexio_core") if module.name == name]
        assert classes == {built for built, _ in constructions(module)}, f"the exception for {name} has grown old"


def test_the_rule_sees_a_renamed_class_and_an_attribute() -> None:
    source = "from x.store import Key as K\nimport x.store as s\nK('a', 'b')\ns.Key('a', 'b')\n"
    [any_module, *_] = modules("reflexio_core")
    module = Module("made_up", any_module.file, ast.parse(source))
    assert [name for name, _ in constructions(module)] == ["Key", "Key"]


def test_nothing_copies_a_query_with_another_partition_or_filter() -> None:
    """``dataclasses.replace`` may continue a query, it may not point it elsewhere."""
    pointing = {"pk", "sk", "hash", "tenant", "user_id", "kind"}
    found = []
    for module in modules("reflexio_core"):
        if module.name == CONSTRUCTOR:
            continue
        for node in ast.walk(module.tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "replace":
                renamed = pointing & {keyword.arg for keyword in node.keywords}
                if renamed:
                    found.append(f"{module.where(node.lineno)} replaces {sorted(renamed)}")
    assert found == []
