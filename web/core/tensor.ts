/** Tensors as plain data: a shape and a typed array, whose type decides what the numbers are. */
import { integer, integers, refuse, withArticle, type Bounds } from "./arguments.js";

/** Floating-point numbers, in double or single precision. */
export type FloatData = Float64Array | Float32Array;

/** The data of a tensor: numbers, ids, or a boolean mask. */
export type TensorData = FloatData | Int32Array | Uint8Array;

/** Row-major numbers with a shape; a scalar has the shape []. */
export interface Tensor<Data extends TensorData = FloatData> {
  shape: number[];
  data: Data;
}

/** Whole numbers that are ids or indices: token ids, positions. */
export type Ids = Tensor<Int32Array>;

/** A mask: 1 where a query may attend, 0 where it may not. Masked scores become `fill`, or -Infinity when it is absent. */
export interface BooleanMask extends Tensor<Uint8Array> {
  fill?: number;
}

/** A boolean mask, or numbers added to the scaled scores. */
export type AttentionMask<Data extends FloatData = FloatData> = BooleanMask | Tensor<Data>;

/** The precision of a graph or a function. */
export type Precision = "float64" | "float32";

/** The type of a tensor's numbers. */
export type DataType = Precision | "int32" | "bool";

const DATA_TYPES: Record<string, DataType> = {
  Float64Array: "float64",
  Float32Array: "float32",
  Int32Array: "int32",
  Uint8Array: "bool",
};

/** The largest number of axes, that of NumPy before version 2. */
const MAX_RANK = 32;

/** The type of `data`, or undefined when no tensor has such data. It also works for arrays of another realm. */
function dataTypeOf(data: unknown): DataType | undefined {
  return DATA_TYPES[Object.prototype.toString.call(data).slice(8, -1)];
}

/** "(2, 3)", "(4,)", "()": a shape as NumPy prints it. */
export function shapeText(shape: readonly number[]): string {
  return shape.length === 1 ? `(${shape[0]},)` : `(${shape.join(", ")})`;
}

/** Checks a shape given as a list. Throws Error. */
function sizesOf(operation: string, argument: string, shape: unknown): number[] {
  const sizes = integers(operation, argument, shape, { min: 0 });
  if (sizes.length > MAX_RANK) refuse(operation, argument, `at most ${MAX_RANK} axes`, sizes);
  return sizes;
}

/** Checks a shape given as a number or a list. Throws Error. */
export function checkShape(operation: string, argument: string, shape: unknown): number[] {
  return sizesOf(operation, argument, typeof shape === "number" ? [shape] : shape);
}

/** Checks that a tensor's data fills its shape, and returns its type. Throws Error naming operation and argument. */
export function checkTensor(
  operation: string,
  argument: string,
  tensor: unknown,
  allowed: readonly DataType[],
): DataType {
  if (typeof tensor !== "object" || tensor === null || !("shape" in tensor) || !("data" in tensor)) {
    return refuse(operation, argument, "a tensor { shape, data }", tensor);
  }
  const type = dataTypeOf(tensor.data);
  if (type === undefined || !allowed.includes(type)) {
    const names = Object.keys(DATA_TYPES).filter((name) => allowed.includes(DATA_TYPES[name]!));
    return refuse(operation, `${argument}.data`, names.map(withArticle).join(" or "), tensor.data);
  }
  const shape = sizesOf(operation, `${argument}.shape`, tensor.shape);
  const cells = shape.reduce((product, size) => product * size, 1);
  const length = (tensor.data as TensorData).length;
  if (cells !== length) {
    throw new Error(
      `${operation}: ${argument} has ${length} numbers, expected ${cells} to fill the shape ${shapeText(shape)}`,
    );
  }
  if (type === "bool" && (tensor.data as Uint8Array).some((value) => value > 1)) {
    throw new Error(`${operation}: ${argument} is a boolean mask, expected every value to be 0 or 1`);
  }
  return type;
}

/** From this number on, float32 rounds to Infinity. */
const SINGLE_LIMIT = 2 ** 128 - 2 ** 103;

/** Whether a finite number stays finite in float32. */
export const fitsSingle = (value: number): boolean =>
  !Number.isFinite(value) || (value < SINGLE_LIMIT && value > -SINGLE_LIMIT);

/** The ids that a graph can tell apart: float32 has 24 bits for a whole number. */
export function idBounds(precision: Precision): Required<Bounds> {
  return precision === "float32" ? { min: -(2 ** 24), max: 2 ** 24 } : { min: -(2 ** 31), max: 2 ** 31 - 1 };
}

/** Throws Error for an id that a graph of this precision could not tell from another. */
export function checkIds(
  operation: string,
  argument: string,
  { data }: Tensor<TensorData>,
  precision: Precision,
): void {
  const bounds = idBounds(precision);
  const place = data.findIndex((id) => id < bounds.min || id > bounds.max);
  if (place >= 0) integer(operation, `${argument}.data[${place}]`, data[place], bounds);
}

/** The common precision of the float tensors among `tensors`. Throws Error when two differ or when there is none. */
export function precisionOf(operation: string, tensors: Record<string, unknown>): Precision {
  let found: { argument: string; precision: Precision } | undefined;
  for (const [argument, tensor] of Object.entries(tensors)) {
    if (typeof tensor !== "object" || tensor === null || !("data" in tensor)) continue;
    const type = dataTypeOf(tensor.data);
    // A mask may have another type; it is checked later, against the precision of the rest.
    if (type === undefined && argument !== "mask")
      refuse(operation, `${argument}.data`, "a Float64Array or a Float32Array", tensor.data);
    if (type !== "float64" && type !== "float32") continue;
    if (found && found.precision !== type) {
      throw new Error(
        `${operation}: ${argument} is ${type} and ${found.argument} is ${found.precision}, expected one precision`,
      );
    }
    found ??= { argument, precision: type };
  }
  return found?.precision ?? "float64";
}

/** Throws Error unless a tensor has the shape of `node`. */
export function checkShapeOf(
  operation: string,
  argument: string,
  { shape }: Tensor<TensorData>,
  node: { name: string; shape: readonly number[] },
): void {
  if (shape.length === node.shape.length && shape.every((size, axis) => size === node.shape[axis])) return;
  throw new Error(
    `${operation}: ${argument} has shape ${shapeText(shape)}, expected ${shapeText(node.shape)} of ${node.name}`,
  );
}
