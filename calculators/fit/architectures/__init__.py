"""What each published architecture is made of: recipes from config keys to parameters and caches."""
