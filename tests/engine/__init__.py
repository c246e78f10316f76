"""The engine over doubles and, where a rule could depend on the store, over the real one."""
