// Images cut into patches, in both orders, and embedded as by a convolution.
import { tensor } from "../fixture.mjs";

export function run(core, { inputs, params }, precision) {
  const image = tensor(inputs.image, precision);
  const patch = [params.patch_h, params.patch_w];
  if (params.op === "patchify") {
    return Object.fromEntries(
      ["p1 p2 c", "c p1 p2"].map((order) => [order, core.patchify(image, { patch, order })]),
    );
  }
  if (params.op !== "embed") throw new TypeError(`vit_patch: the operation ${params.op} is unknown`);
  const [weight, bias] = [inputs.weight, inputs.bias].map((input) => input && tensor(input, precision));
  const options = {};
  if (params.cls) options.cls = tensor(inputs.cls, precision);
  if (inputs.pos) options.position = tensor(inputs.pos, precision);
  const { tokens, output } = core.patchEmbedding(image, weight, bias, options);
  const flat = core.linear(
    core.patchify(image, { patch, order: "c p1 p2" }),
    core.reshape(weight, {
      shape: [weight.shape[0], patch[0] * patch[1] * weight.shape[1]],
    }),
    bias,
  );
  return { tokens: [tokens, flat], with_cls_pos: output };
}
