"""Rules about the code itself: who may import whom, who may make keys, how modules are named and sized."""
