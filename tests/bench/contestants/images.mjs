// The image and the projection of its patches in the layouts of other libraries.

/** (C, H, W) as (H, W, C). */
export function rowsLast(image, channels, size) {
  const moved = new Float32Array(image.length);
  for (let place = 0; place < size * size; place++)
    for (let channel = 0; channel < channels; channel++)
      moved[place * channels + channel] = image[channel * size * size + place];
  return moved;
}

/** The projection as a filter (D, channel, row, column). */
export function patchFilterFirst(weight, { channels, patch, dim }) {
  const moved = new Float32Array(weight.length);
  const area = patch * patch;
  for (let place = 0; place < area; place++)
    for (let channel = 0; channel < channels; channel++)
      for (let column = 0; column < dim; column++)
        moved[(column * channels + channel) * area + place] =
          weight[(place * channels + channel) * dim + column];
  return moved;
}
