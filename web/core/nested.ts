/** Makes tensors from nested lists, or filled with one number. */
import { choice, exact, integer, refuse } from "./arguments.js";
import {
  checkShape,
  fitsSingle,
  type BooleanMask,
  type DataType,
  type Ids,
  type Precision,
  type Tensor,
  type TensorData,
} from "./tensor.js";

/** Values in nested lists that are equally long at each depth; a single value makes a tensor without axes. */
export type Nested<Value> = Value | readonly Nested<Value>[];

/** The number that stands for a cell. Throws Error for a value that a tensor of this type cannot hold. */
function cellOf(place: string, value: unknown, dataType: DataType): number {
  if (dataType === "bool")
    return typeof value === "boolean" ? Number(value) : refuse("tensor", place, "true or false", value);
  if (dataType === "int32") return integer("tensor", place, value, { min: -(2 ** 31), max: 2 ** 31 - 1 });
  if (typeof value !== "number") return refuse("tensor", place, "a number", value);
  if (dataType === "float32" && !fitsSingle(value))
    refuse("tensor", place, "a number that float32 holds", value);
  return value;
}

/** The sizes of nested lists, by the first list at each depth. */
function sizesOf(nested: unknown): number[] {
  const sizes = [];
  for (let inner = nested; Array.isArray(inner); inner = inner[0]) sizes.push(inner.length);
  return sizes;
}

/** Every cell in row-major order. Throws Error where a list has another length than the first list at its depth. */
function* cellsOf(nested: unknown, sizes: readonly number[], place: string): Generator<[string, unknown]> {
  const [size, ...inner] = sizes;
  if (size === undefined) {
    yield [place, nested];
    return;
  }
  if (!Array.isArray(nested)) return refuse("tensor", place, `a list of ${size}`, nested);
  if (nested.length !== size)
    throw new Error(`tensor: ${place} has ${nested.length} items, expected ${size}, as the first beside it`);
  for (let i = 0; i < size; i++) yield* cellsOf(nested[i], inner, `${place}[${i}]`);
}

const arrayOf = (dataType: DataType, cells: readonly number[]): TensorData => {
  if (dataType === "float64") return Float64Array.from(cells);
  if (dataType === "float32") return Float32Array.from(cells);
  return dataType === "int32" ? Int32Array.from(cells) : Uint8Array.from(cells);
};

function fromNested(nested: Nested<number>, dataType: "float32"): Tensor<Float32Array>;
function fromNested(nested: Nested<number>, dataType: "int32"): Ids;
function fromNested(nested: Nested<boolean>, dataType?: "bool"): BooleanMask;
function fromNested(nested: Nested<number>, dataType?: "float64"): Tensor<Float64Array>;
function fromNested(nested: Nested<number | boolean>, dataType?: DataType): Tensor<TensorData> {
  const shape = checkShape("tensor", "shape", sizesOf(nested));
  const cells = [...cellsOf(nested, shape, "nested")];
  const natural = typeof cells[0]?.[1] === "boolean" ? "bool" : "float64";
  const type = choice("tensor", "dataType", dataType ?? natural, ["float64", "float32", "int32", "bool"]);
  return {
    shape,
    data: arrayOf(
      type,
      cells.map(([place, value]) => cellOf(place, value, type)),
    ),
  };
}

/**
 * A tensor from nested lists, as numpy.array makes arrays: tensor([[1, 2], [3, 4]]) has the shape [2, 2]. When `dataType` is absent it is
 * "float64", or "bool" (a mask) for true and false. Throws Error for lists that are not equally long, and for values that the type cannot hold.
 */
export const tensor = exact("tensor", fromNested);

export interface Filled {
  (shape: number | readonly number[], precision: "float32"): Tensor<Float32Array>;
  (shape: number | readonly number[], precision?: "float64"): Tensor<Float64Array>;
}

/** An array with one number per cell of `shape`, all `value`. */
const filled = (operation: string, value: number): Filled =>
  exact(operation, ((given: number | readonly number[], precision?: Precision): Tensor => {
    const shape = checkShape(operation, "shape", given);
    const type = choice(operation, "precision", precision ?? "float64", ["float64", "float32"]);
    const cells = shape.reduce((product, size) => product * size, 1);
    if (cells > 2 ** 31) refuse(operation, "shape", "at most 2147483648 cells", shape);
    const data = type === "float32" ? new Float32Array(cells) : new Float64Array(cells);
    return { shape, data: data.fill(value) };
  }) as Filled);

/** A tensor of zeros: `shape` is a number or a list; `precision` is "float64" when absent. */
export const zeros = filled("zeros", 0);

/** A tensor of ones, with the arguments of `zeros`. */
export const ones = filled("ones", 1);
