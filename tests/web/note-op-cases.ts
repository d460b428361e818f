// Explanations of arithmetic, activations, normalisation and losses, and the lines a note makes of them.
import type { Explanation } from "../../web/core/attention.js";
import { explained, row } from "./note-words.js";

type Case = [name: string, explanation: Explanation, lines: string[], foot: null];

const one = (op: string, result: number): Case => [
  op,
  explained(
    op,
    "y",
    [1],
    [row("value", [["x", [1], 2]], { value: 2 }), row("result", [], { value: result })],
  ),
  ["x | 2", `y | ${result}`],
  null,
];

const two = (op: string, roles: [string, string, string], signs: [string, string], result: number): Case => [
  op,
  explained(op, "y", [1], [row(roles[0], [["a", [1], 6]], { value: 6 }), row(roles[1], [["b", [1], 3]], { value: 3 }), row(roles[2], [], { value: result })]),
  ["a | 6", `${signs[1]} b | 3`, `y | ${result}`],
  null,
]; // prettier-ignore

export const opCases: Case[] = [
  one("exp", 7),
  one("log", 1),
  one("sqrt", 4),
  one("tanh", 1),
  one("log_sigmoid", 0),
  one("relu", 2),
  two("subtract", ["minuend", "subtrahend", "difference"], ["", "−"], 3),
  two("multiply", ["factor", "factor", "product"], ["", "×"], 18),
  two("divide", ["dividend", "divisor", "quotient"], ["", "÷"], 2),
  ["minimum", explained("minimum", "y", [1], [row("value", [["a", [1], 6]], { value: 6 }), row("value", [["b", [1], 3]], { value: 3 }), row("result", [], { value: 3 })]), ["a | 6", "b | 3", "the smaller | 3"], null],
  ["maximum", explained("maximum", "y", [1], [row("value", [["a", [1], 6]], { value: 6 }), row("value", [["b", [1], 3]], { value: 3 }), row("result", [], { value: 6 })]), ["a | 6", "b | 3", "the larger | 6"], null],
  ["gelu", explained("gelu", "y", [1], [row("value", [["x", [1], 2]], { value: 2 }), row("gate", [2], { value: 0.5 }), row("product", [2, 0.5], { value: 1 })]), ["x | 2", "× gate | 0.500", "y | 1"], null],
  ["sum", explained("sum", "y", [], [row("terms", [["x", [0], 2], ["x", [1], 3]], { value: 5 })]), ["x | 2 + | 3 = | 5"], null],
  ["mean", explained("mean", "y", [], [row("terms", [["x", [0], 2], ["x", [1], 3]], { value: 5 }), row("count", [], { value: 2 }), row("quotient", [5, 2], { value: 2.5 })]), ["x | 2 | 3", "sum | 5", "÷ count | 2", "y | 2.500"], null],
  ["layer_norm", explained("layer_norm", "y", [1], [row("value", [["x", [0], 2], ["x", [1], 4]], { value: 6 }), row("mean", [6, 2], { value: 3 }), row("squares", [1, 1], { value: 2 }), row("variance", [2, 2], { value: 1 }), row("deviation", [1, 3], { value: 2 }), row("centred", [["x", [1], 4], 3], { value: 1 }), row("normalised", [1, 2], { value: 0.5 }), row("weight", [["w", [1], 4]], { value: 4 }), row("bias", [["b", [1], 5]], { value: 5 }), row("result", [], { value: 7 })]), ["x | 2 | 4", "mean, 6 ÷ 2 | 3", "squared deviations | 1 | 1", "variance, 2 ÷ 2 | 1", "√(1 + 3) | 2", "minus the mean | 1", "normalised | 0.500", "× w | 4", "+ b | 5", "y | 7"], null],
  ["dropout", explained("dropout", "y", [1], [row("value", [["x", [1], 2]], { value: 2 }), row("draw", [["u", [1], 0.75]], { value: 0.75 }), row("keep", [0.75, 0.5], { value: 1 }), row("divisor", [1, 0.5], { value: 0.5 }), row("result", [], { value: 4 })]), ["x | 2", "random draw | 0.750", "× kept (1) or dropped (0) | 1", "÷ divisor | 0.500", "y | 4"], null],
  ["one_hot", explained("one_hot", "y", [0, 3], [row("id", [["ids", [0], 3]], { value: 3 }), row("class", [3], { value: 3 }), row("equal", [3, 3], { value: 1 })]), ["token id | 3", "class | 3", "y | 1"], null],
  ["conv1d", explained("conv1d", "y", [0, 0], [row("window", [["x", [0, 0], 2], 0]), row("kernel", [["w", [0, 0, 0], 3], ["w", [0, 0, 1], 4]]), row("bias", [["b", [0], 1]], { value: 1 }), row("products", [6, 0], { value: 7 })]), ["x, row 0 | 2 | 0", "× w, row 0 | 3 | 4", "products | 6 + | 0", "+ b | 1", "sum | 7"], null],
  ["cross_entropy, one row", explained("cross_entropy", "loss", [0], [row("value", [["x", [0, 0], 0], ["x", [0, 1], 0]]), row("minus_max", [0, 0], { value: 0 }), row("exp", [1, 1], { value: 2 }), row("log_sum", [2], { value: 0.75 }), row("minus_log_p", [0.75, 0.75]), row("target", [["ids", [0], 1]], { value: 1 }), row("counts", [0, 1]), row("products", [0, 0.75], { value: 0.75 })]), ["x | 0 | 0", "− largest | 0 | 0", "exp, Σ = 2 | 1 | 1", "− log Σ | 0.750", "−log softmax | 0.750 | 0.750", "ids | 1", "× share of the target | 0 | 1", "products | 0 + | 0.750 = | 0.750"], null],
  ["cross_entropy, ignored", explained("cross_entropy", "loss", [0], [row("target", [["ids", [0], -100]], { value: -100 }), row("ignored", [], { value: 0 })]), ["ids | −100", "ignored | 0"], null],
  ["cross_entropy, reduced", explained("cross_entropy", "loss", [], [row("losses", [1, 2], { value: 3 }), row("divisor", [], { value: 2 }), row("result", [], { value: 1.5 })]), ["losses | 1 | 2", "sum | 3", "÷ divisor | 2", "loss | 1.500"], null],
  ["kl_divergence", explained("kl_divergence", "loss", [0], [row("input", [["p", [0], -1]], { value: -1 }), row("target", [["q", [0], 1]], { value: 1 }), row("log_target", [1], { value: 0 }), row("difference", [0, -1], { value: 1 }), row("result", [], { value: 1 })]), ["p | −1", "q | 1", "log of the target | 0", "× difference | 1", "loss | 1"], null],
  ["mse_loss", explained("mse_loss", "loss", [0], [row("input", [["p", [0], 5]], { value: 5 }), row("target", [["q", [0], 3]], { value: 3 }), row("difference", [5, 3], { value: 2 }), row("result", [], { value: 4 })]), ["p | 5", "− q | 3", "difference | 2", "loss | 4"], null],
  ["cosine_similarity", explained("cosine_similarity", "y", [], [row("row", [["a", [0], 3], ["a", [1], 4]], { value: 5 }), row("column", [["b", [0], 1], ["b", [1], 0]], { value: 1 }), row("products", [3, 0], { value: 3 }), row("lengths", [5, 1], { value: 5 }), row("quotient", [], { value: 0.6 })]), ["a | 3 | 4", "× b | 1 | 0", "products | 3 | 0", "sum | 3", "÷ lengths multiplied | 5", "y | 0.600"], null],
  ["entropy", explained("entropy", "y", [], [row("value", [["p", [0], 1], ["p", [1], 0]]), row("minus_log", [0, 0]), row("products", [0, 0], { value: 0 })]), ["p | 1 | 0", "× −log | 0 | 0", "products | 0 + | 0 = | 0"], null],
  ["histogram", explained("histogram", "y", [0], [row("from", [["edges", [0], 0]], { value: 0 }), row("to", [["edges", [1], 1]], { value: 1 }), row("counted", [["x", [3], 0.25]], { value: 1 })]), ["lower edge | 0", "upper edge | 1", "counted | 1"], null],
]; // prettier-ignore
