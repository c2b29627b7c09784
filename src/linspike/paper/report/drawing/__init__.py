"""One drawer per kind of panel: lines, image, ranks, flow."""
