"""For every served method of the published clients: how it is called, and which effect it must have.

Effects are read back by plain HTTP where the method writes, and compared with what plain HTTP wrote where it reads.
"""

# ruff: noqa: I001, F401 - the order of these imports is the order in which the cases run
from cases import publishing, searching, listing, writing, deleting, service, session_views
from cases import deleting_everything
from cases.registry import CASES
