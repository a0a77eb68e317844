"""Facts: YAML files, each figure with its source and the day it was checked."""
