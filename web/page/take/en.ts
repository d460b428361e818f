/** Strings for saving and opening files. */
export const en = {
  "take.title": "Take it with you",
  "take.menu": "Take {name} with you",
  "take.numbers": "Numbers",
  "take.numbers_of": "Numbers of",
  "take.picture": "Picture",
  "take.stage": "Picture of the stage",
  "take.code": "with a QR code",
  "take.code_long": "The link is too long for a QR code.",
  "take.film": "Film of Play",
  "take.save_film": "Save Play as an animated {format}",
  "take.filming": "The film is being made: {percent} %.",
  "take.film_cancel": "Cancel",
  "take.film_cancel_long": "Cancel the film",
  "take.film_story": "The film shows the step of the story that is on the stage.",
  "take.film_covered": "A film shows every number: guess the covered one first.",
  "take.film_reading": "A film shows the numbers themselves: end the comparison or the gradient first.",
  "take.save": "Save {name} as {format}",
  "take.save_stage": "Save a picture of the stage as {format}",
  "take.run": "Weights and optimizer",
  "take.save_run": "Save the run at this step as {format}",
  "take.saved": "Saved as {file}.",
  "take.carries":
    "Each file but .npy carries the link: opening it, or dropping it on this page, brings this back.",
  "take.open_file": "Open a saved file",
  "take.put": "Put numbers in",
  "take.put_file": "From a file",
  "take.put_hint":
    "A .npy or .csv file of {shape}; dropping it on the matrix does the same. Numbers copied from a spreadsheet or from NumPy are pasted into a cell with Ctrl V.",
  "take.failed": "That could not be saved.",
  "take.failed_body": "{reason}",

  "give.page": "Drop a saved picture or table to open it. Drop numbers on the input that is to take them.",
  "give.tensor": "Drop to put the numbers into {name}, {shape}.",
  "give.none": "This file holds no link.",
  "give.none_body":
    "`{file}` opens nothing here. Pictures, JSON and CSV files saved from this page hold the link of their state, unless another program took it out.",
  "give.image": "This picture holds no link.",
  "give.image_body":
    "Pictures saved from this page do, unless another program took it out. The image lab cuts any picture into patches.",
  "give.image_use": "Use it in the image lab",
  "give.npy": "These numbers need a place.",
  "give.npy_body":
    "`{file}` holds numbers but no link. Drop it on the matrix that is to take them; parameters and inputs can.",
  "give.large": "This file is too large.",
  "give.large_body": "`{file}` has {given} MB; at most {most} MB are read.",
  "give.broken": "This file cannot be read.",
  "give.broken_body": "{reason}",
  "give.dismiss": "Dismiss",

  "put.computed": "Computed: {name}. Change an input to change it.",
  "put.shape": "{name}: expected {expected}, got {actual}.",
  "put.room": "From this cell of {name} ({whole}) on: expected at most {expected}, got {actual}.",
  "put.finite": "Row {row}, column {column}: expected a number, got {given}.",
  "put.word": "Line {line}: “{text}” is not a number.",
  "put.comma": "Line {line}: “{text}” is not a number. A point, not a comma, begins the decimals.",
  "put.ragged": "Line {line} has {actual} numbers, the line before it {expected}.",
  "put.nested": "The brackets do not enclose rows of equal length.",
  "put.omitted":
    "“...” stands for numbers that NumPy left out. Print all of them first: np.set_printoptions(threshold=np.inf).",
  "put.empty": "There are no numbers in it.",
  "put.long": "That is more text than can be read at once: at most {most} million characters.",
  "put.most": "A link holds at most {most} numbers changed by hand; with these there would be {given}.",
  "put.same": "These numbers are already there.",

  "own.matrix": "{name}: expected a matrix of at most {rows}×{columns}, got {actual}.",
  "own.heading": "Computed: {name}.",
  "own.body":
    "Your {actual} numbers can stand there: X becomes the identity matrix, so that Q, K and V are what you give.",
  "own.columns":
    "{name}: the {heads} heads share the columns evenly; expected a multiple of {heads} columns, got {actual}.",
  "own.rows":
    "{name}: the {heads} heads share the rows evenly; expected a multiple of {heads} rows, got {actual}.",
  "own.sizes":
    "The lab can take their size: {count} words of {dim} numbers, {heads} heads with keys {keyDim} and values {valueDim} wide.",
  "own.other": "Your {actual} numbers have another size.",
  "own.lost": "The size of {lost} changes too: new numbers are drawn, until you paste yours.",
  "own.and": ", ",
  "own.start": "Start from my Q, K, V",
  "own.redrawn": "New numbers are drawn for {lost}.",
  "own.use": "Use my numbers",
} as const;
