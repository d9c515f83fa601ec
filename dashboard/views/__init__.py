"""The pages, one module each (`show()` draws it), and beside them the parts of pages."""
