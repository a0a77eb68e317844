"""Parts of lab pages that hold more than one lab."""
