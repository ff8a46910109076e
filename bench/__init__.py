"""What the docs quote about speed and size, measured anew: ``python -m bench [NAME …] [--quick]``."""
