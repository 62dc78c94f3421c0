"""What real models do. `make test-real` fetches them; a test skips where its model is not in the cache."""
