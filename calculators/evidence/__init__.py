"""How sure we are: accuracy, calibration, sensitivity, quality."""
