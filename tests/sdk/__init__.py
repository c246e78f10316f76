"""The SDK package alone: wire models, clients over a scripted transport, prompt context."""
