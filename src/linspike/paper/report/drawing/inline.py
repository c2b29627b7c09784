"""An SVG file of matplotlib as an element of a page: its own ids, the page's colours and font."""

from __future__ import annotations

import hashlib
import re
from html import escape
from typing import Any

from linspike.plotting import style

INK, QUIET, GROUND = (
    f"var(--{name}, {colour.lower()})"
    for name, colour in (("ink", style.INK), ("quiet", style.QUIET), ("ground", style.GROUND))
)
FONT = "system-ui, sans-serif"
HALO = "halo"
# Text and pale areas are mixed with the page's colours, so that they show on any ground.
COLOURS = {
    style.INK: INK,
    "#000000": INK,
    style.QUIET: QUIET,
    style.GROUND: GROUND,
    style.SHADE: f"color-mix(in srgb, {INK} 8%, {GROUND})",
    **{
        style.darken(colour): f"color-mix(in srgb, {colour} {style.TEXT_SHARE:.0%}, {INK})"
        for colour in style.SERIES
    },
    **{
        style.pale(colour): f"color-mix(in srgb, {colour} {style.PALE_SHARE:.0%}, {GROUND})"
        for colour in style.SERIES
    },
}
_COLOUR = re.compile("|".join(COLOURS), re.IGNORECASE)
_STYLE = re.compile(r'\b(?:style|fill|stroke)="[^"]*"')  # text may have such signs too
_BY_LOWER = {colour.lower(): value for colour, value in COLOURS.items()}


def mark_halos(figure: Any) -> None:
    """Take halos from text and name it instead: matplotlib would write it as outlines."""
    from matplotlib.text import Text

    for number, text in enumerate(figure.findobj(Text)):
        if text.get_path_effects():
            text.set(path_effects=[], gid=f"{HALO}_{number}")


def make_inline(svg: str, title: str, number: int) -> str:
    """Return the element of an SVG file, with a title, and ids that no other element has."""
    text = svg[svg.index("<svg") :]
    text = re.sub(r"\s*<metadata>.*?</metadata>", "", text, flags=re.DOTALL)
    text = re.sub(r"<!--.*?-->\s*", "", text, flags=re.DOTALL)
    text = re.sub(r"font: ([\d.]+px) [^;\"]*", rf"font: \1 {FONT}", text)
    text = re.sub(r"font-family: [^;\"]*", f"font-family: {FONT}", text)
    text = _draw_halos(text)
    text = _STYLE.sub(lambda found: _COLOUR.sub(_replace_colour, found.group()), text)
    text = _own_ids(text, f"p{hashlib.sha256(f'{title}{svg}'.encode()).hexdigest()[:6]}{number}-")
    box = re.search(r'viewBox="([^"]*)"', text)
    assert box is not None
    head = f'<svg role="img" aria-label="{escape(title)}" viewBox="{box.group(1)}" '
    return re.sub(r"<svg [^>]*>", f'{head}xmlns:xlink="{XLINK}">', text, count=1).strip()


XLINK = "http://www.w3.org/1999/xlink"


def _replace_colour(found: re.Match[str]) -> str:
    return _BY_LOWER[found.group().lower()]


def _draw_halos(svg: str) -> str:
    """Return the file with an outline in the ground's colour behind text that had one."""
    halo = f"paint-order: stroke; stroke: {style.GROUND}; stroke-width: 2.6px; "
    halo += "stroke-linejoin: round; "
    return re.sub(
        rf'(<g id="{HALO}_\d+">\s*<text style=")', lambda found: found.group() + halo, svg
    )


def _own_ids(svg: str, prefix: str) -> str:
    """Return the file with a prefix before ids that something refers to, and without the others."""
    used = set(re.findall(r'(?:url\(#|href="#)([^")]+)', svg))
    svg = re.sub(r' id="([^"]*)"', lambda m: m.group() if m.group(1) in used else "", svg)
    svg = re.sub(r' id="', f' id="{prefix}', svg)
    return re.sub(r'(url\(#|href="#)', rf"\1{prefix}", svg)
