"""Numbers and tables that `tools.insert_numbers` puts between the markers of Markdown files."""
