"""What each published architecture is made of: from config keys to parameters and caches."""
