"""A page to try sampling on: sliders, the distribution they leave, a token drawn from it, and what to know about it."""
