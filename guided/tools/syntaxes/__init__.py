"""How models write their calls: one file a syntax, with `find`, which knows it by the model's chat template."""
