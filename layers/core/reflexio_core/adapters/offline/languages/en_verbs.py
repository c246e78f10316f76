"""English verbs of an agent's tasks, every form mapped to the gerund that names the task."""

from reflexio_core.adapters.offline.languages.lexicon import entries

_REGULAR = (
    "deploy start restart migrate book prepare convert install add remove delete drop create commit push merge rebase "
    "release publish format generate export import translate summarise summarize schedule reschedule "
    "cancel refund order "
    "update upgrade downgrade rename move copy test skip mark configure enable disable reserve charge "
    "bill invoice ship "
    "answer explain reply respond describe list review check fix patch change switch close open record "
    "compute calculate "
    "estimate search query index draft plan organise organize archive restore backfill rotate renew scale provision "
    "mount download upload email mail notify assign approve squash refactor document lint compile package render plot "
    "clean tidy recreate use name sort round filter"
)
_IRREGULAR = {
    "running": "run runs ran running",
    "sending": "send sends sent sending",
    "writing": "write writes wrote written writing",
    "setting up": "set sets setting",
    "making": "make makes made making",
    "building": "build builds built building",
    "paying": "pay pays paid paying",
    "buying": "buy buys bought buying",
    "finding": "find finds found finding",
    "putting": "put puts putting",
    "drawing": "draw draws drew drawn drawing",
    "dropping": "dropped dropping",
    "planning": "planned planning",
    "shipping": "shipped shipping",
    "skipping": "skipped skipping",
    "plotting": "plotted plotting",
    "taking": "take takes took taken taking",
    "doing": "do does did done doing",
    "giving": "give gives gave given giving",
    "keeping": "keep keeps kept keeping",
    "leaving": "leave leaves left leaving",
    "choosing": "choose chooses chose chosen choosing",
    "rewriting": "rewrite rewrites rewrote rewritten rewriting",
    "resetting": "reset resets resetting",
    "formatting": "formatted formatting",
    "committing": "committed committing",
    "referring": "refer referred referring",
    "submitting": "submit submits submitted submitting",
    "asking": "ask asks asked asking",
    "showing": "show shows showed shown showing",
    "starting": "begin begins began begun beginning",
}
_DOUBLING = entries("format drop plan ship skip plot commit")


def gerund(verb: str) -> str:
    """``deploy`` -> ``deploying``, ``migrate`` -> ``migrating``, ``drop`` -> ``dropping``."""
    if verb in _DOUBLING:
        return verb + verb[-1] + "ing"
    if verb.endswith("e") and not verb.endswith(("ee", "oe", "ye")):
        return verb[:-1] + "ing"
    return verb + "ing"


def _forms(verb: str) -> list[str]:
    past = verb + "d" if verb.endswith("e") else verb[:-1] + "ied" if verb.endswith("fy") else verb + "ed"
    third = (
        verb[:-1] + "ies" if verb.endswith("fy") else verb + ("es" if verb.endswith(("sh", "ch", "x", "ss")) else "s")
    )
    return [verb, past, third, gerund(verb)]


BASES = (*_REGULAR.split(), *(forms.split()[0] for forms in _IRREGULAR.values()))
VERBS: dict[str, str] = {form: gerund(verb) for verb in _REGULAR.split() for form in _forms(verb)}
VERBS |= {form: name for name, forms in _IRREGULAR.items() for form in forms.split()}


def third_person(verb: str) -> str:
    """``live`` -> ``lives``, ``fly`` -> ``flies``, ``have`` -> ``has``."""
    irregular = {"have": "has", "be": "is", "do": "does", "go": "goes"}
    if verb in irregular:
        return irregular[verb]
    if verb.endswith(("s", "sh", "ch", "x", "z")):
        return verb + "es"
    if verb.endswith("y") and verb[-2:-1] not in set("aeiou"):
        return verb[:-1] + "ies"
    return verb + "s"
