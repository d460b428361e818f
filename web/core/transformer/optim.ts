/** Optimizers: they change parameters by their gradients, as torch.optim does. */
import { finiteNumber, flag, integer, options, refuse, text, refuseExtraArguments } from "../arguments.js";
import { dispose } from "../disposable.js";
import { FLOATS } from "../operations.js";
import { checkTensor, fitsSingle, type Precision, type Tensor } from "../tensor.js";
import { Graph } from "../graph.js";
import { Parameters } from "./parameters.js";
import { ScheduleFunctions } from "./schedules.js";
import type { WasmGraph } from "../wasm.js";
import type { TransformerModule, WasmOptimizer, WasmParameters } from "./wasm.js";

export interface SgdOptions {
  /** Absent: 0.001. */
  lr?: number;
  /** This and the following settings are 0 or false when absent. */
  momentum?: number;
  dampening?: number;
  weightDecay?: number;
  /** Nesterov momentum; it needs momentum and no dampening. */
  nesterov?: boolean;
}

export interface AdagradOptions {
  /** Absent: 0.01. */
  lr?: number;
  lrDecay?: number;
  weightDecay?: number;
  initialAccumulatorValue?: number;
  /** Added to the square root, not inside it; absent: 1e-10. */
  eps?: number;
}

export interface RmspropOptions {
  /** Absent: 0.01. */
  lr?: number;
  /** Absent: 0.99. */
  alpha?: number;
  /** Added to the square root, not inside it; absent: 1e-8. */
  eps?: number;
  weightDecay?: number;
  momentum?: number;
  /** Divide by the square root of the variance instead of the mean square; a variance that rounding makes negative counts as 0. */
  centered?: boolean;
}

export interface AdamOptions {
  /** Absent: 0.001. */
  lr?: number;
  /** Absent: [0.9, 0.999]. */
  betas?: readonly [number, number];
  /** Added to the square root, not inside it; absent: 1e-8. */
  eps?: number;
  /** Absent: 0 with adam, 0.01 with adamw. */
  weightDecay?: number;
  /** Divide by the square root of the largest second moment so far. */
  amsgrad?: boolean;
}

/** The state of an optimizer for one parameter. */
export interface OptimizerState {
  /** The number of steps it made. */
  step: number;
  /** The buffers by PyTorch's names: momentum_buffer, sum, square_avg, grad_avg, exp_avg, exp_avg_sq, max_exp_avg_sq. */
  buffers: Record<string, Tensor>;
}

/** Made by `core.sgd()` and the other functions below. Whoever makes it ends it with `delete()` or `using`. */
export class Optimizer implements Disposable {
  static {
    refuseExtraArguments(this);
  }

  readonly #kind: string;
  #wasm: WasmOptimizer | null;

  /** @internal */
  constructor(
    module: TransformerModule,
    kind: string,
    settings: Record<string, number | boolean | undefined>,
  ) {
    this.#kind = kind;
    this.#wasm = module.createOptimizer(kind, settings)!;
  }

  /**
   * Changes every parameter that has a gradient, or, of a graph, the leaves of its parameters in place: the next `graph.replay` computes
   * with them. Gradients are kept (see `parameters.zeroGrad`). Throws Error when no parameter has a gradient.
   */
  step(owner: Parameters | Graph): void {
    const wasm = this.#alive("step");
    if (owner instanceof Graph) wasm.stepGraph(owner.handle("step"));
    else wasm.step(parametersHandle("step", owner));
  }

  /** The learning rate, which a schedule may set before every step. */
  get lr(): number {
    return this.#alive("lr").lr();
  }

  set lr(lr: number) {
    this.#alive("lr").setLr(finiteNumber(this.#kind, "lr", lr));
  }

  /**
   * The state of the parameters of `owner` that a step has changed, by name; with `name`, the state of that parameter, or undefined
   * before its first step. Each owner has its own state. All arrays are copies.
   */
  state(owner: Parameters | Graph): Record<string, OptimizerState>;
  state(owner: Parameters | Graph, name: string): OptimizerState | undefined;
  state(
    owner: Parameters | Graph,
    name?: string,
  ): Record<string, OptimizerState> | OptimizerState | undefined {
    if (name !== undefined) return this.#state(owner, text("state", "name", name));
    const wasm = this.#alive("state");
    const names = (
      owner instanceof Graph
        ? wasm.stateNamesGraph(owner.handle("state"))
        : wasm.stateNames(parametersHandle("state", owner))
    ) as string[];
    return Object.fromEntries(names.map((each) => [each, this.#state(owner, each)!]));
  }

  #state(owner: Parameters | Graph, name: string): OptimizerState | undefined {
    const wasm = this.#alive("state");
    const state = (
      owner instanceof Graph
        ? wasm.stateGraph(owner.handle("state"), name)
        : wasm.state(parametersHandle("state", owner), name)
    ) as { step: number; buffers: ({ name: string } & Tensor)[] } | undefined;
    if (state === undefined) return undefined;
    const buffers = state.buffers.map(({ name, shape, data }) => [name, { shape, data }] as const);
    return { step: state.step, buffers: Object.fromEntries(buffers) };
  }

  /**
   * Replaces the state of `owner`'s parameters by one that `state(owner)` returned: an optimizer with the same settings and learning
   * rate then continues bit for bit as the first would have. Throws Error, and changes nothing, for
   * an unknown parameter or buffer, another shape, and numbers that the precision does not hold.
   */
  loadState(owner: Parameters | Graph, states: Readonly<Record<string, OptimizerState>>): void {
    const operation = "loadState";
    const wasm = this.#alive(operation);
    const handle = owner instanceof Graph ? owner.handle(operation) : parametersHandle(operation, owner);
    if (typeof states !== "object" || states === null)
      refuse(operation, "states", "what is remembered by the names of parameters", states);
    const read = Object.entries(states).map(([name, state]) => stateOf(name, state, owner.precision));
    if (owner instanceof Graph) wasm.loadStateGraph(handle as WasmGraph, read);
    else wasm.loadState(handle as WasmParameters, read);
  }

  /** Frees the optimizer's state. */
  delete(): void {
    this.#wasm?.delete();
    this.#wasm = null;
  }

  [dispose](): void {
    this.delete();
  }

  #alive(operation: string): WasmOptimizer {
    if (this.#wasm === null) throw new Error(`${operation}: the optimizer was deleted`);
    return this.#wasm;
  }
}

/** The state of one parameter in the form that the core reads. Throws Error. */
function stateOf(name: string, state: OptimizerState, precision: Precision): object {
  const operation = "loadState";
  text(operation, "name", name);
  if (typeof state !== "object" || state === null)
    return refuse(operation, JSON.stringify(name), "{ step, buffers }", state);
  const { step, buffers } = options(operation, state, ["step", "buffers"]);
  if (typeof buffers !== "object" || buffers === null)
    return refuse(operation, `buffers of ${JSON.stringify(name)}`, "tensors by name", buffers);
  return {
    name,
    step: integer(operation, `step of ${JSON.stringify(name)}`, step, { min: 1 }),
    buffers: Object.entries(buffers).map(([buffer, tensor]) => {
      const what = `${buffer} of ${JSON.stringify(name)}`;
      checkTensor(operation, what, tensor, FLOATS);
      const lost = precision === "float32" ? tensor.data.find((value) => !fitsSingle(value)) : undefined;
      if (lost !== undefined) refuse(operation, what, "numbers that float32 holds", lost);
      return { name: buffer, shape: [...tensor.shape], data: tensor.data };
    }),
  };
}

function parametersHandle(operation: string, parameters: Parameters) {
  if (!(parameters instanceof Parameters))
    return refuse(operation, "parameters", "parameters or a graph", parameters);
  return parameters.handle(operation);
}

/** The given settings, each checked to be a number or a flag. */
function settingsOf<Settings extends object>(
  operation: string,
  given: Settings | undefined,
  numbers: readonly (keyof Settings & string)[],
  flags: readonly (keyof Settings & string)[] = [],
): Record<string, number | boolean> {
  const settings: Record<string, number | boolean> = {};
  for (const [name, value] of Object.entries(options(operation, given, [...numbers, ...flags]))) {
    if (value === undefined) continue;
    const isFlag = (flags as readonly string[]).includes(name);
    settings[name] = isFlag ? flag(operation, name, value) : finiteNumber(operation, name, value);
  }
  return settings;
}

function adamSettings(operation: string, given?: AdamOptions): Record<string, number | boolean> {
  const known = ["lr", "betas", "eps", "weightDecay", "amsgrad"] as const;
  const { betas = [undefined, undefined], ...others } = options(operation, given, known);
  if (!Array.isArray(betas) || betas.length !== 2) refuse(operation, "betas", "two numbers", betas);
  const [beta1, beta2] = betas;
  const each = { ...others, beta1, beta2 };
  return settingsOf(operation, each, ["lr", "beta1", "beta2", "eps", "weightDecay"], ["amsgrad"]);
}

export class OptimFunctions extends ScheduleFunctions {
  /** Stochastic gradient descent: v = momentum v + (1 - dampening) g (g at first), p - lr v. */
  sgd(given?: SgdOptions): Optimizer {
    const numbers = ["lr", "momentum", "dampening", "weightDecay"] as const;
    return new Optimizer(this.module, "sgd", settingsOf("sgd", given, numbers, ["nesterov"]));
  }

  /** AdaGrad: G = G + g^2, p - lr / (1 + t lrDecay) g / (sqrt(G) + eps), t from 0. */
  adagrad(given?: AdagradOptions): Optimizer {
    const numbers = ["lr", "lrDecay", "weightDecay", "initialAccumulatorValue", "eps"] as const;
    return new Optimizer(this.module, "adagrad", settingsOf("adagrad", given, numbers));
  }

  /** RMSProp: v = alpha v + (1 - alpha) g^2, p - lr g / (sqrt(v) + eps). */
  rmsprop(given?: RmspropOptions): Optimizer {
    const numbers = ["lr", "alpha", "eps", "weightDecay", "momentum"] as const;
    return new Optimizer(this.module, "rmsprop", settingsOf("rmsprop", given, numbers, ["centered"]));
  }

  /** Adam: m and v are running means of g and g^2, p - lr m' / (sqrt(v') + eps), where m' and v' are corrected for starting at 0. */
  adam(given?: AdamOptions): Optimizer {
    return new Optimizer(this.module, "adam", adamSettings("adam", given));
  }

  /** AdamW: weight decay shrinks the parameter itself, by lr weightDecay, instead of changing the gradient. */
  adamw(given?: AdamOptions): Optimizer {
    return new Optimizer(this.module, "adamw", adamSettings("adamw", given));
  }

  /** The norm of all gradients together; above `maxNorm` all are scaled down to it, as torch.nn.utils.clip_grad_norm_ does. */
  clipGradNorm(owner: Parameters | Graph, maxNorm: number): number {
    const limit = finiteNumber("clipGradNorm", "maxNorm", maxNorm, { positive: true });
    if (owner instanceof Graph) return this.module.clipGradNormGraph(owner.handle("clipGradNorm"), limit);
    return this.module.clipGradNorm(parametersHandle("clipGradNorm", owner), limit);
  }
}
