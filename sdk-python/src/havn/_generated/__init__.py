"""What is generated from the OpenAPI document."""
