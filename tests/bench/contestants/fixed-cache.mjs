// Caches of keys and values of a fixed length, for libraries whose programs have fixed shapes: the masks that each step takes beside its vector.

/** A number far below any score. Not every softmax accepts infinity. */
const HIDDEN = -1e9;

/** For each step: a column with 1 at its position, one with 0 there and 1 elsewhere, and a row that masks the later positions. */
export const stepMasks = (steps) =>
  Array.from({ length: steps }, (_, step) => {
    const of = (here, before, after) =>
      Float32Array.from({ length: steps }, (_, place) =>
        place === step ? here : place < step ? before : after,
      );
    return { here: of(1, 0, 0), elsewhere: of(0, 1, 1), hidden: of(0, 0, HIDDEN) };
  });
