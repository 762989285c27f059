"""The order language: text to orders and back, for any game that brings its notation."""
