"""Maps made from a seed: map.md, section 6. Only draws decide, so that a seed makes the same map everywhere."""
