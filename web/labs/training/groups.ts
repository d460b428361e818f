/** The parts of a model whose parameters are measured together. */

/** A group of parameters whose norms are shown together. */
export interface Group {
  /** "embedding", "1.attention". The number of the layer counts from 1 here alone: the tensor `groups` of old links has it so. */
  id: string;
  names: string[];
}

/** The part of a layer that a parameter belongs to, by the rest of its name. A norm belongs to the part that it stands before or after. */
function partOf(name: string, hasCross: boolean): string {
  if (name.startsWith("multihead_attn") || (hasCross && name.startsWith("norm2"))) return "cross";
  return /^(linear|mlp|ln_2|norm2|norm3)/.test(name) ? "network" : "attention";
}

/** The groups of the parameters of a model, from the first layer to the last. */
export function groupsOf(names: readonly string[]): Group[] {
  const groups = new Map<string, string[]>();
  for (const name of names) {
    const [, layers = "", layer, rest = ""] = /^(.*?)(?:layers|h)\.(\d+)\.(.*)$/.exec(name) ?? [];
    const isDecoder = layers.startsWith("decoder");
    const id =
      layer !== undefined
        ? `${isDecoder ? "decoder." : ""}${Number(layer) + 1}.${partOf(rest, isDecoder)}`
        : /embed|wte|wpe|patch|position|cls/.test(name)
          ? "embedding"
          : "output";
    groups.set(id, [...(groups.get(id) ?? []), name]);
  }
  const all = [...groups].map(([id, members]) => ({ id, names: members }));
  return [...all.filter(({ id }) => id !== "output"), ...all.filter(({ id }) => id === "output")];
}
