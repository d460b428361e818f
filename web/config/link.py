"""Links of the playground, version 1: the fields of links.schema.json in, a link out.

    from link import link
    link(lab="multi-head", tokens=["the", "cat", "sat"], heads=2)

    echo '{"lab": "positions", "encoding": "rotary", "dim": 8}' | python3 link.py    # a line in, a link out
"""

import json
import struct
import sys
from base64 import urlsafe_b64encode
from urllib.parse import quote


def words(value):
    """A comma or percent sign inside a word is escaped once more; a word that means something else is escaped out of it."""
    text = ",".join(word.replace("%", "%25").replace(",", "%2C") for word in value)
    if text == "none":
        return "%6Eone"
    return "z1%3A" + text[3:] if text.startswith("z1:") else text


def story(steps):
    """Separators within a step are escaped once more; what begins as a packed value is escaped out of it."""
    escaped = lambda text: text.replace("%", "%25").replace(",", "%2C").replace(";", "%3B")
    text = ";".join(f"{escaped(step['words'])},{escaped(step['link'])}" for step in steps)
    return "z1%3A" + text[3:] if text.startswith("z1:") else text


def floats(rows, numbers):
    """A matrix of numbers of 32 bits: height and width in four bytes each, then the numbers. None for other numbers."""
    try:
        raw = struct.pack(f"<II{len(numbers)}f", len(rows), len(rows[0]), *numbers)
    except OverflowError:
        return None
    return raw if list(struct.unpack_from(f"<{len(numbers)}f", raw, 8)) == numbers else None


def packed(rows):
    """A matrix as base64url, all little-endian: height and width, in two bytes each before doubles, then the numbers."""
    for row in rows:
        if len(row) != len(rows[0]):
            raise ValueError(f"a row of {len(row)} numbers, expected {len(rows[0])} in each")
    numbers = [value for row in rows for value in row]
    short = floats(rows, numbers)
    if short is None and len(numbers) > 61000:
        raise ValueError(f"{len(numbers)} numbers of 64 bits, expected at most 61000 in a link: round them to 32 bits")
    raw = short or struct.pack(f"<HH{len(numbers)}d", len(rows), len(rows[0]), *numbers)
    return ("b32:" if short else "b64:") + urlsafe_b64encode(raw).decode().rstrip("=")


def written(value):
    """The plain text of a field's value."""
    if value is None or value == []:
        return "none"
    if isinstance(value, bool):
        return "1" if value else "0"
    if isinstance(value, dict):
        if "sample" in value:
            return value["sample"]
        if "pixels" in value:
            return "hex:" + "".join(f"{level:x}" for level in value["pixels"])
        return ",".join(map(written, [value["node"], *value["index"], *([value["value"]] if "value" in value else [])]))
    if isinstance(value, (list, tuple)):
        if isinstance(value[0], str):
            return words(value)
        if isinstance(value[0], dict) and "words" in value[0]:
            return story(value)
        # Text of more rows or columns than these is not read.
        if isinstance(value[0], (list, tuple)) and value[0] and isinstance(value[0][0], (int, float)) and max(len(value), len(value[0])) > 512:
            return packed(value)
        separator = "" if isinstance(value[0], bool) else "," if isinstance(value[0], (int, float)) else ";"
        return separator.join(map(written, value))
    return str(value)


def link(before=None, **fields):
    """The link with these fields; what is not named is as in the example it starts from. `before`: fields of what it is compared with."""
    pairs = {"v": 1, **fields}
    if before is not None:
        pairs["before"] = before.get("ex", "this")
        pairs |= {f"before.{name}": value for name, value in before.items() if name != "ex"}
    return "#" + "&".join(f"{name}={quote(written(value), safe='-_.,;:')}" for name, value in pairs.items())


if __name__ == "__main__":
    for line in sys.stdin:
        print(link(**json.loads(line)))
