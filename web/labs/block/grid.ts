/** Where the curves are computed: from -4 to 4 by halves. */
export const curveGrid = Array.from({ length: 17 }, (_, at) => (at - 8) / 2);

/** The three scores of the softmax where x is 0: the first is x more than this. */
export const startScores = [[0], [1], [0]];
