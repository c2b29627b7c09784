"""What holds for the pictures of every experiment."""

MOST_LINES = 8
MOST_LETTERS = 50  # of a title, which is the accessible name


def check_pictures(summary):
    """Few lines, titles and names told apart, axes that say what they show."""
    panels = (*summary.panels, *summary.details)
    titles = [panel.title for panel in panels]
    assert len(set(titles)) == len(titles)
    for panel in panels:
        assert 0 < len(panel.title) <= MOST_LETTERS, panel.title
        assert len(panel.lines) <= MOST_LINES, panel.title
        names = [line.name for line in panel.lines]
        assert len(set(names)) == len(names), panel.title
        if panel.lines:
            assert panel.x_label or panel.x_names, panel.title
            assert panel.y_label or panel.y_names, panel.title
