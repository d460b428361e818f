/** Draws lines and writes texts on a scene. */
import type { Curve, Label, Role, Scene } from "../marks/scene.js";

/** The lines and texts that appear at a step of Play. A text is small unless its kind is given. */
export const penOn = (scene: Scene, step: number) => ({
  draw: (id: string, role: Role, kind: Curve["kind"], points: Curve["points"], more?: Partial<Curve>) =>
    scene.curves.push({ id, points, role, kind, step, ...more }),
  write: (x: number, y: number, text: string, more?: Partial<Label>) =>
    scene.labels.push({ x, y, text, kind: "axis", step, ...more }),
});

/** The line around an area. */
export const rectangle = (left: number, top: number, right: number, bottom: number): Curve["points"] => [
  [left, bottom],
  [left, top],
  [right, top],
  [right, bottom],
  [left, bottom],
];
