/** Descriptions of the expected value, for refusals. The English ones are also used in errors. */
export const expected = {
  "expected.whole": "a whole number from {min} to {max}",
  "expected.decimal": "a number from {min} to {max}",
  "expected.just": "`{value}`",
  "expected.choice": "one of {options}",
  "expected.words": "{min} to {max} words of at most {length} characters",
  "expected.different": "{min} to {max} different words",
  "expected.sentence": "a sentence of two words or more",
  "expected.matrix": "rows of equally many numbers, at most {rows} rows of {columns}",
  "expected.mask": "rows of equally many `1` and `0`, at most {rows} rows of {columns}",
  "expected.shape": "the shape {shape}",
  "expected.wholes": "{count} whole numbers from {min} to {max}",
  "expected.numbers": "{count} numbers from {min} to {max}",
  "expected.edits": "at most {max} cells with their new values, such as `X,0,1,2.5`, joined by `;`",
  "expected.cell": "a tensor and a place on each of its axes, at most {max}, such as `weights,0,2`",
  "expected.cells": "a cell of {cells}",
  "expected.name": "letters, digits and `, - . / _`, at most {max}",
  "expected.image": "one of {samples}, or the pixels of a square of {sides}",
  "expected.even": "an even number",
  "expected.divisor": "a divisor of {of}",
  "expected.multiple": "a multiple of {of}",
  "expected.beside": "`{field}` beside it",
  "expected.encoder":
    "0, or `compare=projection`, `cls=1`, `dim` of at most {dim} and at most {patches} patches",
  "expected.rising": "places in rising order, of {places}",
  "expected.story":
    "1 to {steps} steps joined by `;`, each at most {words} characters of text, a comma, and a link of at most {link}",
  "expected.digits": "sequences of {length} digits",
  "expected.selector":
    "the name of a tensor, its cells as in `[0, 2:4, :]`, then `:grad` or `:hist`, at most {max} characters",
  "expected.once": "the field once",
} as const;
