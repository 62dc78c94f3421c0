"""What the server says about itself: the OpenAPI document and a page that shows it."""
