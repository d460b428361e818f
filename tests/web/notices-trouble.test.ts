// What a notice says when the core has not computed the settings.
import { expect, test } from "vitest";
import { defaults } from "../../web/config/defaults.js";
import { wordsIn } from "../../web/i18n/words.js";
import { troubleNotices } from "../../web/page/notices.js";
import type { Playground } from "../../web/page/playground.js";
import { wholeCore } from "./labs-sessions.js";

const bodyOf = (reason: string, language: "en" | "zh-CN"): string => {
  const playground = { trouble: { kind: "refused", reason }, config: defaults("training") };
  return troubleNotices(playground as unknown as Playground, wordsIn(language))[0]!.body;
};

test("settings that need too much memory are said to need smaller sizes, and others are not", () => {
  let reason = "";
  try {
    wholeCore.sinusoidal({ length: 100_000, dim: 10_000 });
  } catch (error) {
    reason = (error as Error).message;
  }
  expect(reason).toMatch(/^sinusoidal: needs 7630/);
  expect(bodyOf(reason, "en")).toMatch(/^sinusoidal: needs .* Fewer layers, .* need less memory\.$/);
  expect(bodyOf(reason, "zh-CN")).toMatch(/^减少层数.*。.*sinusoidal: needs .*”$/);
  expect(bodyOf("trainer: steps is 2", "en")).not.toContain("memory");
});
