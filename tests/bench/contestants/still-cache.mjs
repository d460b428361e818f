// Keys and values kept in arrays of the final length, for those whose programs have fixed shapes: what a step is told beside its vector.

/** Far below any score; infinity is not taken by every softmax. */
const HIDDEN = -1e9;

/** For each step: a column with 1 at its place, one with 0 there and 1 elsewhere, and a row that hides the places after it. */
export const stepMasks = (steps) =>
  Array.from({ length: steps }, (_, step) => {
    const of = (here, before, after) =>
      Float32Array.from({ length: steps }, (_, place) =>
        place === step ? here : place < step ? before : after,
      );
    return { here: of(1, 0, 0), elsewhere: of(0, 1, 1), hidden: of(0, 0, HIDDEN) };
  });
