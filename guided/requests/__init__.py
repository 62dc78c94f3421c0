"""What callers ask of a model, made into requests that engines take."""
