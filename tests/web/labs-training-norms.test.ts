// The names beside the norms of the gradients: which gradient a press on one shows.
import { expect, test } from "vitest";
import { isParameter } from "../../web/labs/training/selection.js";
import { groupsOf } from "../../web/labs/training/groups.js";
import { nextParameter } from "../../web/labs/training/norms.js";
import { computed, configOf } from "./labs-sessions.js";

const partsOf = (model: "encoder" | "decoder" | "encoder-decoder" | "vit") => {
  const seeing = model === "vit" ? { task: "shapes" as const, samples: ["0"] } : {};
  const { snapshots } = computed(configOf<"training">("learn-to-reverse", { model, ...seeing, beside: [] }));
  const parameters = [...snapshots.keys()].filter((name) => isParameter(name, snapshots.get(name)!));
  return { snapshots, groups: groupsOf(parameters) };
};

test.each(["encoder", "decoder", "encoder-decoder", "vit"] as const)(
  "presses on the parts of an %s show each of its parameters once, each part's largest first, then none",
  (model) => {
    const { snapshots, groups } = partsOf(model);
    for (const group of groups) {
      const shown: string[] = [];
      for (let name = nextParameter(snapshots, group); name !== null;) {
        shown.push(name);
        name = nextParameter(snapshots, group, `${name}[0:2]:grad:hist`);
      }
      expect([...shown].sort()).toEqual([...group.names].sort());
      const sizes = shown.map((name) => snapshots.get(name)!.data.length);
      expect(sizes).toEqual([...sizes].sort((a, b) => b - a));
      // The numbers themselves are not a gradient, and a wrong selector is none.
      for (const watch of [shown[0]!, "nothing[", "none"])
        expect(nextParameter(snapshots, group, watch)).toBe(shown[0]);
    }
  },
);
