/** Parameters: named numbers that outlive graphs. What a model learns, saves and loads. */
import {
  DEFAULT_MAX_BYTES,
  choice,
  integer,
  options,
  refuse,
  text,
  refuseExtraArguments,
} from "../arguments.js";
import type { Origin } from "../description.js";
import { dispose } from "../disposable.js";
import { checkShapeOf, checkTensor, type Precision, type Tensor } from "../tensor.js";
import { layerSizes, type LayerName, type LayerSizes } from "./layer-sizes.js";
import type { TransformerModule, WasmParameters } from "./wasm.js";

export interface ParametersOptions {
  /** Absent: "float64". */
  precision?: Precision;
  /** The memory limit of values and gradients together; absent: 512 MB. */
  maxBytes?: number;
}

export interface DrawParametersOptions {
  /** A prefix of every name: "encoder." makes "encoder.norm.weight"; absent: none. */
  prefix?: string;
}

/** One parameter, as `list` describes it. */
export interface ParameterDescription {
  name: string;
  shape: number[];
  /** Where its numbers come from; "literal" after they were set, loaded or trained. */
  origin: Origin;
  hasGradient: boolean;
}

/** Made by `core.parameters()`. Whoever makes it ends it with `delete()` or `using`. Names are those of PyTorch's state_dict. */
export class Parameters implements Disposable {
  static {
    refuseExtraArguments(this);
  }

  readonly precision: Precision;
  #wasm: WasmParameters | null;

  /** @internal */
  constructor(module: TransformerModule, given?: ParametersOptions) {
    const { precision = "float64", maxBytes = DEFAULT_MAX_BYTES } = options("parameters", given, [
      "precision",
      "maxBytes",
    ]);
    this.precision = choice("parameters", "precision", precision, ["float64", "float32"]);
    integer("parameters", "maxBytes", maxBytes, { min: 0 });
    this.#wasm = module.createParameters(precision === "float32", maxBytes)!;
  }

  /** Adds a parameter under a new name. */
  add(name: string, tensor: Tensor): void {
    checkTensor("add", "tensor", tensor, [this.precision]);
    this.handle("add").add(text("add", "name", name), [...tensor.shape], tensor.data as Float64Array);
  }

  /**
   * Adds all parameters of a layer or model, each called `prefix` and its name. A layer begins as that of torch.nn does, except
   * for embeddings: randn / sqrt(D) here, randn in PyTorch. A model begins as its layers do; torch.nn.Transformer draws its
   * matrices again, by Xavier's rule. `seed` is a whole number from 0 to 2^32 - 1; absent: 0. Each is drawn from NumPy's generator seeded with
   * crc32(name) XOR seed: its numbers depend on its full name, and not on other parameters. Throws Error for a name that is taken.
   */
  draw<Layer extends LayerName>(
    layer: Layer,
    sizes: LayerSizes[Layer],
    seed?: number,
    given?: DrawParametersOptions,
  ): void {
    const { prefix = "" } = options("draw", given, ["prefix"]);
    this.handle("draw").draw(
      layer,
      layerSizes(layer, sizes),
      integer("draw", "seed", seed ?? 0, { min: 0, max: 2 ** 32 - 1 }),
      text("draw", "prefix", prefix),
    );
  }

  /** The names, in the order in which they were added. */
  get names(): string[] {
    return this.handle("names").names() as string[];
  }

  /** The number of cells of all parameters together. */
  get count(): number {
    return this.handle("count").count();
  }

  /** The memory that values and gradients take, in bytes. */
  get bytes(): number {
    return this.handle("bytes").bytes();
  }

  /** Describes every parameter: name, shape, origin and whether it has a gradient. */
  list(): ParameterDescription[] {
    return this.names.map((name) => this.#describe("list", name));
  }

  /** A copy of the numbers of a parameter. */
  get(name: string): Tensor {
    const { shape } = this.#describe("get", name);
    return { shape, data: this.handle("get").value(name) };
  }

  /** Replaces the numbers of a parameter. */
  set(name: string, tensor: Tensor): void {
    checkTensor("set", "tensor", tensor, [this.precision]);
    checkShapeOf("set", "tensor", tensor, { name, shape: this.#describe("set", name).shape });
    this.handle("set").set(name, [...tensor.shape], tensor.data as Float64Array);
  }

  /** A copy of the gradient of a parameter: the sum since `zeroGrad`. Throws Error when it has none. */
  gradient(name: string): Tensor {
    const { shape } = this.#describe("gradient", name);
    return { shape, data: this.handle("gradient").gradient(name) };
  }

  /** Forgets all gradients. */
  zeroGrad(): void {
    this.handle("zeroGrad").zeroGrad();
  }

  /** Copies of all parameters, by name. */
  stateDict(): Record<string, Tensor> {
    return Object.fromEntries(this.names.map((name) => [name, this.get(name)]));
  }

  /** Replaces all parameters, in either precision. When one is missing, unknown or of another shape, nothing changes. */
  loadStateDict(tensors: Readonly<Record<string, Tensor>>): void {
    const operation = "loadStateDict";
    if (typeof tensors !== "object" || tensors === null)
      refuse(operation, "tensors", "tensors by name", tensors);
    const arrays = Object.entries(tensors).map(([name, tensor]) => {
      checkTensor(operation, name, tensor, ["float64", "float32"]);
      return { name, shape: [...tensor.shape], data: tensor.data };
    });
    this.handle(operation).load(arrays);
  }

  /** @internal True only for objects made by this constructor, whatever their prototype is. */
  static [Symbol.hasInstance](value: unknown): boolean {
    return typeof value === "object" && value !== null && #wasm in value;
  }

  /** Frees the parameters. */
  delete(): void {
    this.#wasm?.delete();
    this.#wasm = null;
  }

  [dispose](): void {
    this.delete();
  }

  /** @internal */
  handle(operation: string): WasmParameters {
    if (this.#wasm === null) throw new Error(`${operation}: the parameters were deleted`);
    return this.#wasm;
  }

  #describe(operation: string, name: string): ParameterDescription {
    const described = this.handle(operation).describe(text(operation, "name", name)) as object;
    return { name, ...described } as ParameterDescription;
  }
}
