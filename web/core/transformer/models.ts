/** The models of a graph: encoder, decoder and models made of them. Parameters are found by their state_dict names. */
import { flag, integer, options, refuse, text } from "../arguments.js";
import type { IdsOperand, MaskOperand, Node, Operand } from "../node.js";
import { numbers, type Attributes, type Inputs } from "../operations.js";
import type { Named } from "../options.js";
import {
  BERT,
  CONTINUATION,
  continuationAttributes,
  GPT2,
  EMBEDDING,
  type EmbeddingOptions,
  embeddingAttributes,
  GREEDY,
  greedyAttributes,
  LAYER,
  layerAttributes,
  masking,
  MASKING,
  maskings,
  STACK,
  stackAttributes,
  STACKS,
  stacksAttributes,
  VIT,
  type ContinuationOptions,
  type DecoderLayerOptions,
  type DecoderOptions,
  type EncoderLayerOptions,
  type EncoderOptions,
  type GreedyOptions,
  type LayerOptions,
  type Seq2SeqOptions,
  type StackOptions,
  type TransformerMasks,
  type TransformerOptions,
} from "./model-options.js";
import type * as Nodes from "./model-nodes.js";
import type { Conv1dOptions } from "./options.js";
import { Parameters } from "./parameters.js";
import { TorchNamesGraph } from "./torch-names.js";

/** The parameters of a layer: a `Parameters` object, or nodes and tensors by their state_dict names. */
export type ParametersOperand = Parameters | Readonly<Record<string, Operand>>;

export interface StateDictOptions {
  /** A prefix for the names of the leaves; absent: none. */
  prefix?: string;
  /** Takes only the parameters whose names begin with this, such as "encoder.", and removes it from their names; absent: all. */
  within?: string;
}

const ids = (operand: unknown) => ({ operand, allowed: ["int32"] as const });

export class ModelsGraph extends TorchNamesGraph {
  readonly #leaves = new Map<Parameters, Record<string, Node>>();

  /**
   * Leaves with copies of the present numbers of `parameters`, called `prefix` and their names; `optimizer.step(graph)` changes them.
   * A graph makes them once; a layer that gets a `Parameters` makes them itself, after its own name and a dot. Throws Error for another prefix.
   */
  stateDict(parameters: Parameters, given?: StateDictOptions): Readonly<Record<string, Node>> {
    const { prefix, within } = options("stateDict", given, ["prefix", "within"]);
    const nodes = this.#leavesFor(parameters, prefix);
    if (within === undefined) return nodes;
    const start = text("stateDict", "within", within);
    const inside = Object.entries(nodes).filter(([name]) => name.startsWith(start));
    if (inside.length === 0)
      refuse("stateDict", "within", "what the names of some parameters begin with", within);
    return Object.fromEntries(inside.map(([name, node]) => [name.slice(start.length), node]));
  }

  #leavesFor(parameters: Parameters, given?: string): Readonly<Record<string, Node>> {
    const prefix = given ?? "";
    const known = this.#leaves.get(parameters);
    if (known) {
      const names = Object.keys(known);
      if (given !== undefined && known[names[0]!]?.name !== prefix + names[0])
        refuse("stateDict", "prefix", "the one these parameters already have in this graph", prefix);
      if (parameters.names.length !== names.length)
        refuse("stateDict", "parameters", `the ${names.length} that this graph read first`, parameters.names);
      return known;
    }
    const wasm = this.#parametersHandle("stateDict", parameters);
    const made = wasm.leaves(this.handle("stateDict"), text("stateDict", "prefix", prefix));
    const nodes = Object.fromEntries(
      parameters.names.map((name, place) => [name, this.nodeOf(made[place]!)]),
    );
    this.#leaves.set(parameters, nodes);
    return nodes;
  }

  /** Adds the gradients that the last `backward` left on the leaves of `parameters` to those of `parameters`. */
  addGradients(parameters: Parameters): void {
    const wasm = this.#parametersHandle("addGradients", parameters);
    wasm.addGradients(this.handle("addGradients"), this.#leavesOf("addGradients", parameters));
  }

  /** Copies the numbers of the leaves, which `optimizer.step(graph)` changes, back into `parameters`. */
  updateParameters(parameters: Parameters): void {
    const operation = "updateParameters";
    const wasm = this.#parametersHandle(operation, parameters);
    wasm.readLeaves(this.handle(operation), this.#leavesOf(operation, parameters));
  }

  #leavesOf(operation: string, parameters: Parameters): number[] {
    const nodes = this.#leaves.get(parameters);
    if (!nodes)
      return refuse(operation, "parameters", "parameters that a layer of this graph reads", parameters);
    return Object.values(nodes).map(({ id }) => id);
  }

  #parametersHandle(operation: string, parameters: Parameters) {
    if (!(parameters instanceof Parameters)) refuse(operation, "parameters", "parameters", parameters);
    if (parameters.precision !== this.precision)
      refuse(operation, "parameters.precision", `"${this.precision}", the graph's`, parameters.precision);
    return parameters.handle(operation);
  }

  /** Applies a layer that has parameters. A refused call leaves no leaves of its parameters behind. */
  protected layer<Roles>(
    operation: string,
    inputs: Inputs,
    parameters: ParametersOperand,
    attributes: Attributes,
    name: string,
  ): Roles {
    if (typeof parameters !== "object" || parameters === null)
      refuse(operation, "parameters", "parameters, or tensors by their state_dict names", parameters);
    const size = this.size(operation);
    const made = parameters instanceof Parameters && !this.#leaves.has(parameters);
    try {
      const prefix = made && name ? `${text(operation, "name", name)}.` : undefined;
      const nodes = parameters instanceof Parameters ? this.#leavesFor(parameters, prefix) : parameters;
      const all: Inputs = { ...inputs };
      for (const [parameter, operand] of Object.entries(nodes))
        all[`stateDict.${parameter}`] = numbers(operand);
      return this.apply(operation, all, attributes, text(operation, "name", name)) as unknown as Roles;
    } catch (error) {
      this.truncate(size);
      if (made) this.#leaves.delete(parameters);
      throw error;
    }
  }

  /** activation(x W1^T + b1) W2^T + b2: linear1.*, linear2.*. */
  feedForward(
    x: Operand,
    parameters: ParametersOperand,
    given?: { activation?: LayerOptions["activation"] } & Named,
  ): Nodes.FeedForwardNodes {
    const { name = "" } = options("feedForward", given, ["activation", "name"]);
    const { activation } = layerAttributes("feedForward", { ...given, numHeads: 1 });
    return this.layer("feedForward", { x: numbers(x) }, parameters, { activation }, name);
  }

  /** torch.nn.TransformerEncoderLayer: self_attn.*, linear1.*, linear2.*, norm1.*, norm2.*. */
  encoderLayer(
    src: Operand,
    parameters: ParametersOperand,
    given: EncoderLayerOptions,
  ): Nodes.EncoderLayerNodes {
    const { name = "" } = options("encoderLayer", given, [...LAYER, ...MASKING, "name"]);
    const { inputs, attributes } = masking("encoderLayer", given, "");
    const settings = { ...layerAttributes("encoderLayer", given), ...attributes };
    return this.layer("encoderLayer", { src: numbers(src), ...inputs }, parameters, settings, name);
  }

  /** torch.nn.TransformerDecoderLayer: self_attn.*, multihead_attn.*, linear1.*, linear2.*, norm1.*, norm2.*, norm3.*. */
  decoderLayer(
    tgt: Operand,
    memory: Operand,
    parameters: ParametersOperand,
    given: DecoderLayerOptions,
  ): Nodes.DecoderLayerNodes {
    const operation = "decoderLayer";
    const {
      name = "",
      target,
      memory: cross,
    } = options(operation, given, [...LAYER, "target", "memory", "name"]);
    const { inputs, attributes } = maskings(operation, { target, memory: cross });
    const settings = { ...layerAttributes(operation, given), ...attributes };
    const all = { tgt: numbers(tgt), memory: numbers(memory), ...inputs };
    return this.layer(operation, all, parameters, settings, name);
  }

  /** torch.nn.TransformerEncoder: layers.N.*, norm.*. */
  encoder(src: Operand, parameters: ParametersOperand, given: EncoderOptions): Nodes.EncoderNodes {
    const { name = "" } = options("encoder", given, [...STACK, ...MASKING, "name"]);
    const { inputs, attributes } = masking("encoder", given, "");
    const settings = { ...stackAttributes("encoder", given), ...attributes };
    return this.layer("encoder", { src: numbers(src), ...inputs }, parameters, settings, name);
  }

  /** torch.nn.TransformerDecoder: layers.N.*, norm.*. */
  decoder(
    tgt: Operand,
    memory: Operand,
    parameters: ParametersOperand,
    given: DecoderOptions,
  ): Nodes.DecoderNodes {
    const known = [...STACK, "target", "memory", "name"] as const;
    const { name = "", target, memory: cross } = options("decoder", given, known);
    const { inputs, attributes } = maskings("decoder", { target, memory: cross });
    const settings = { ...stackAttributes("decoder", given), ...attributes };
    const all = { tgt: numbers(tgt), memory: numbers(memory), ...inputs };
    return this.layer("decoder", all, parameters, settings, name);
  }

  /** torch.nn.Transformer between the embeddings and the logits: encoder.*, decoder.*. */
  transformer(
    src: Operand,
    tgt: Operand,
    parameters: ParametersOperand,
    given: TransformerOptions & TransformerMasks & Named,
  ): Nodes.TransformerNodes {
    const known = [...STACKS, "source", "target", "memory", "name"] as const;
    const { name = "", source, target, memory } = options("transformer", given, known);
    const { inputs, attributes } = maskings("transformer", { source, target, memory });
    const settings = { ...stacksAttributes("transformer", given), ...attributes };
    return this.layer(
      "transformer",
      { src: numbers(src), tgt: numbers(tgt), ...inputs },
      parameters,
      settings,
      name,
    );
  }

  /** From an image (B?, C, H, W) to logits (B?, K): conv_proj.*, class_token, pos_embedding, layers.N.*, norm.*, head.*. */
  visionTransformer(
    image: Operand,
    parameters: ParametersOperand,
    given: StackOptions & Named,
  ): Nodes.VisionTransformerNodes {
    const { name = "" } = options("visionTransformer", given, [...STACK, "name"]);
    const settings = stackAttributes("visionTransformer", given, VIT);
    return this.layer("visionTransformer", { image: numbers(image) }, parameters, settings, name);
  }

  /** weight[ids] sqrt(D) + PE, the first id at position `start`, without the factor or PE if the options say so: embedding.weight. */
  embedSequence(
    tokens: IdsOperand,
    parameters: ParametersOperand,
    given?: EmbeddingOptions & { start?: number } & Named,
  ): Node {
    const operation = "embedSequence";
    const { start = 0, name = "" } = options(operation, given, [...EMBEDDING, "start", "name"]);
    const settings = {
      ...embeddingAttributes(operation, given),
      start: integer(operation, "start", start, { min: 0 }),
    };
    return this.layer<{ output: Node }>(operation, { ids: ids(tokens) }, parameters, settings, name).output;
  }

  /** From ids to log-probabilities. Source, target and logits share one table: embedding.weight, encoder.*, decoder.*. The target is causal. */
  seq2seq(
    srcIds: IdsOperand,
    tgtIds: IdsOperand,
    parameters: ParametersOperand,
    given: Seq2SeqOptions & TransformerMasks & Named,
  ): Nodes.Seq2SeqNodes {
    const known = [...STACKS, ...EMBEDDING, "source", "target", "memory", "name"] as const;
    const { name = "", source, target, memory } = options("seq2seq", given, known);
    const { inputs, attributes } = maskings("seq2seq", { source, target, memory });
    const settings = {
      ...stacksAttributes("seq2seq", given),
      ...embeddingAttributes("seq2seq", given),
      ...attributes,
    };
    const all = { srcIds: ids(srcIds), tgtIds: ids(tgtIds), ...inputs };
    return this.layer("seq2seq", all, parameters, settings, name);
  }

  /** Appends the id with the largest logit, step by step. The appended ids are leaves: an edit does not choose them again. */
  greedyDecoding(
    srcIds: IdsOperand,
    parameters: ParametersOperand,
    given: GreedyOptions & Named,
  ): Nodes.GreedyNodes {
    const operation = "greedyDecoding";
    const known = [...GREEDY, "cache", "keyMask", "name"] as const;
    const { keyMask, name = "", ...greedy } = options(operation, given, known);
    const settings = greedyAttributes(operation, greedy);
    const { inputs } = masking(operation, { keyMask: keyMask as MaskOperand }, "");
    return this.layer(operation, { srcIds: ids(srcIds), ...inputs }, parameters, settings, name);
  }

  /** Token + position + segment embeddings, a bidirectional encoder and the masked-token head: see the README for the names. */
  bert(
    tokens: IdsOperand,
    parameters: ParametersOperand,
    given: Omit<StackOptions, "finalNorm"> & {
      /** (B?, L); absent: every token is in segment 0. */
      segmentIds?: IdsOperand;
      /** (B, L), 1 = may be attended. */
      keyMask?: MaskOperand;
    } & Named,
  ): Nodes.BertNodes {
    const known = [...LAYER, "numLayers", "segmentIds", "keyMask", "name"] as const;
    const { segmentIds, keyMask, name = "" } = options("bert", given, known);
    const inputs: Inputs = {
      ids: ids(tokens),
      segmentIds: segmentIds === undefined ? undefined : ids(segmentIds),
      keyMask: keyMask === undefined ? undefined : { operand: keyMask, allowed: ["bool"] },
    };
    return this.layer("bert", inputs, parameters, stackAttributes("bert", given, BERT), name);
  }

  /** GPT-2, decoder only and causal: wte.weight, wpe.weight, h.N.*, ln_f.*: see the README for the names. */
  gpt2(
    tokens: IdsOperand,
    parameters: ParametersOperand,
    given: StackOptions & {
      /** (B?, L), 1 = may be attended. */
      keyMask?: MaskOperand;
      /** (L) or as the ids; absent: 0, 1, 2, ... */
      positionIds?: IdsOperand;
    } & Named,
  ): Nodes.Gpt2Nodes {
    const known = [...STACK, "keyMask", "positionIds", "name"] as const;
    const { keyMask, positionIds, name = "" } = options("gpt2", given, known);
    const inputs: Inputs = {
      ids: ids(tokens),
      keyMask: keyMask === undefined ? undefined : { operand: keyMask, allowed: ["bool"] },
      positionIds: positionIds === undefined ? undefined : ids(positionIds),
    };
    return this.layer("gpt2", inputs, parameters, stackAttributes("gpt2", given, GPT2), name);
  }

  /** Appends ids to a prompt (B?, L), drawn step by step. The appended ids are leaves: an edit does not choose them again. */
  gpt2Continuation(
    prompt: IdsOperand,
    parameters: ParametersOperand,
    given: StackOptions &
      ContinuationOptions & {
        /** Keep keys and values, and compute new tokens alone; the numbers are the same. Absent: true. */
        cache?: boolean;
      } & Named,
  ): Nodes.Gpt2ContinuationNodes {
    const operation = "gpt2Continuation";
    const known = [...STACK, ...CONTINUATION, "cache", "name"] as const;
    const { cache = true, name = "", ...others } = options(operation, given, known);
    const settings = {
      ...stackAttributes(operation, others, GPT2),
      ...continuationAttributes(operation, others),
      cache: flag(operation, "cache", cache),
    };
    const text = this.layer<{ ids: Int32Array[]; probabilities: Float64Array[]; logits: Node[] }>(
      operation,
      { prompt: ids(prompt) },
      parameters,
      settings,
      name,
    );
    const probabilities = text.probabilities.map((data, step) => ({
      shape: [...text.logits[step]!.shape],
      data,
    }));
    return { ...text, probabilities };
  }

  /** h_t = tanh(x_t W_ih^T + b_ih + h_(t-1) W_hh^T + b_hh): weight_ih_l0, weight_hh_l0, bias_ih_l0, bias_hh_l0. */
  recurrent(x: Operand, parameters: ParametersOperand, given?: Named): Nodes.RecurrentNodes {
    const { name = "" } = options("recurrent", given, ["name"]);
    return this.layer("recurrent", { x: numbers(x) }, parameters, {}, name);
  }

  /** (B?, L, in) -> (B?, L', out): weight (out, in, k), bias (out). Positions before features, unlike conv1d. */
  convolution(x: Operand, parameters: ParametersOperand, given?: Conv1dOptions & Named): Node {
    const {
      stride = 1,
      padding = 0,
      name = "",
    } = options("convolution", given, ["stride", "padding", "name"]);
    const settings = {
      stride: integer("convolution", "stride", stride, { min: 1 }),
      padding: integer("convolution", "padding", padding, { min: 0 }),
    };
    return this.layer<{ output: Node }>("convolution", { x: numbers(x) }, parameters, settings, name).output;
  }

  /** Attention rollout: how much each input token contributes to each token through all layers. weights (B?, H, L, L), first layer first. */
  attentionRollout(weights: readonly Operand[], given?: Named): Node {
    const operation = "attentionRollout";
    const { name = "" } = options(operation, given, ["name"]);
    if (!Array.isArray(weights) || weights.length === 0)
      refuse(operation, "weights", "a list of at least one tensor", weights);
    const inputs: Inputs = {};
    weights.forEach((tensor, place) => (inputs[`weights[${place}]`] = numbers(tensor)));
    const attributes = { count: weights.length };
    return this.apply(operation, inputs, attributes, text(operation, "name", name))["output"]!;
  }
}
