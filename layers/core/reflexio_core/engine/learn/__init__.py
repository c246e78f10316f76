"""Learning: claim a user, take the next window, judge, extract, fit to what is known, commit once."""

from reflexio_core.engine.learn.turn import run_user

__all__ = ["run_user"]
