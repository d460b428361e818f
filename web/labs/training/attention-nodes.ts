/** The attention weights that the lab shows: cross attention where a model has it, else self-attention, of every layer. */

/** Of the nodes of a graph, (B, H, L, S) each, in the order of the layers. */
export function attentionNodes<Shaped extends { name: string; shape: readonly number[] }>(
  nodes: Iterable<Shaped>,
): Shaped[] {
  const weights = [...nodes].filter(({ name, shape }) => /attn\.weights$/.test(name) && shape.length === 4);
  const cross = weights.filter(({ name }) => name.includes("multihead_attn"));
  return cross.length > 0 ? cross : weights;
}
