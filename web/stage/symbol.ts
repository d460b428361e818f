/** The symbol of a tensor, written by hand where the tensor itself has no room for it. */
import { symbolName } from "../marks/lettering.js";
import type { Label, Role, Scene } from "../marks/scene.js";
import { writeOn } from "./pen.js";
import type { Block } from "./place.js";

/** Writes the symbol of a tensor, in the colour of its role if one is given. It comes with the tensor. */
export function writeSymbol(
  scene: Scene,
  { symbol, role, step }: Pick<Block, "symbol" | "step"> & { role?: Role },
  x: number,
  y: number,
  more: Partial<Label> = {},
): void {
  writeOn(scene, "symbol", x, y, symbolName(symbol), { symbol, step, ...(role && { role }), ...more });
}
