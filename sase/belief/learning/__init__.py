"""Better rates from a recording that nobody labelled."""
