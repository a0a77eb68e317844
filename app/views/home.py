"""Should we run this model on our own hardware, or buy it from an API?"""

from app import ui

ui.page_title("Breakeven", __doc__)
