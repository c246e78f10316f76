"""What the language model is asked: typed inputs and outputs of each task. Prompts lie beside, in ``prompts/``."""

from reflexio_core.tasks.consolidate import CONSOLIDATE
from reflexio_core.tasks.extract import EXTRACT
from reflexio_core.tasks.gate import GATE

__all__ = ["CONSOLIDATE", "EXTRACT", "GATE"]
