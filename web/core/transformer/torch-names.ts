/** Operations under the names, arguments and defaults that PyTorch gives them. Each makes the node of the operation it stands for. */
import { integer, number, refuse } from "../arguments.js";
import { masks } from "../masks.js";
import { Node, type Operand } from "../node.js";
import type { Named } from "../options.js";
import { checkTensor, type BooleanMask } from "../tensor.js";
import { LossesGraph } from "./losses.js";
import type * as Options from "./options.js";

export class TorchNamesGraph extends LossesGraph {
  /** torch.cat: `concat`, along the first axis when `dim` is absent. */
  cat(tensors: readonly Operand[], given?: Options.CatOptions & Named): Node {
    const { dim = 0, name } = this.settings("cat", given, ["dim"]);
    return this.concat(tensors, { axis: integer("cat", "dim", dim), ...named(name) });
  }

  /**
   * torch.masked_fill: `value` where the mask is 1, x elsewhere. The mask is the inverse of the one that `mask` takes, and becomes a leaf
   * of its own; it is a tensor, never a node.
   */
  maskedFill(x: Operand, mask: BooleanMask, given: Options.MaskedFillOptions & Named): Node {
    const { value, name } = this.settings("maskedFill", given, ["value"]);
    if (mask instanceof Node)
      return refuse("maskedFill", "mask", "a tensor; mask(x, keep, { fill }) takes a node", mask.name);
    checkTensor("maskedFill", "mask", mask, ["bool"]);
    const fill = number("maskedFill", "value", value);
    return this.mask(x, masks.fromTorchModule(mask), { fill, ...named(name) });
  }

  /** torch.nn.functional.kl_div with log_target=False: `klDivergence`. */
  klDiv(input: Operand, target: Operand, given?: Options.KlDivergenceOptions & Named): Node {
    this.settings("klDiv", given, ["reduction"]);
    return this.klDivergence(input, target, given);
  }
}

/** The option `name`, where it is given: the operations of a function take no names. */
const named = (name: string | undefined): Named => (name === undefined ? {} : { name });
