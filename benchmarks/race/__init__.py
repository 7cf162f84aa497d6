"""steadyrank beside the engines that people would pick instead, query by query."""
