"""Commands on saved models."""
