"""DynamoDB failures that an emulator does not raise, through client stubs."""
