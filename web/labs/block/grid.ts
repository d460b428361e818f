/** The points at which the curves are computed: from -4 to 4 in steps of 0.5. */
export const curveGrid = Array.from({ length: 17 }, (_, at) => (at - 8) / 2);

/** The three scores of softmax at x = 0. Elsewhere x is added to the first. */
export const startScores = [[0], [1], [0]];
