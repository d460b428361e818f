// The state that an element's attributes ask for: the same objects for the same attributes, so that its link
// is encoded once.
import { expect, test } from "vitest";
import { untrained } from "../../web/labs/training/untrained.js";
import { RequestedState, type Attributes } from "../../web/page/element/requested-state.js";

const opening = { first: "four-words", stateOf: <State>(state: State): State => state };

test("the state is the same object until the link, the theme or the language changes", () => {
  const by: { -readonly [name in keyof Attributes]: Attributes[name] } = {
    src: "#v=1&lab=losses&lang=en",
    ui: null,
    theme: null,
    lang: null,
    only: null,
    pageTheme: "light",
    focusTensors: null,
  };
  const requested = new RequestedState(by, () => opening);
  const first = requested.state;
  by.ui = "none";
  expect(requested.state).toBe(first);
  by.lang = "zh";
  const chinese = requested.state;
  expect(chinese).not.toBe(first);
  expect(chinese.config.view.lang).toBe("zh-CN");
  expect(chinese.config.numbers).toBe(first.config.numbers);
  by.theme = "dark";
  expect(requested.state.config.view).toMatchObject({ theme: "dark", lang: "zh-CN" });
  by.src = "#v=1&lab=positions";
  expect(requested.state.config.view).toMatchObject({ lab: "positions", theme: "dark" });
});

test("a property that is not a text is reported by its type, and the next value is read as usual", () => {
  const by: Record<string, unknown> = {
    src: "",
    ui: null,
    theme: null,
    lang: null,
    only: null,
    focusTensors: null,
  };
  const requested = new RequestedState(by as unknown as Attributes, () => opening);
  for (const value of [5, {}, [], () => 1, Symbol("s"), Object.create(null)]) {
    Object.assign(by, { src: value, ui: value, theme: value, lang: value, only: value });
    expect(requested.state.notices.length).toBeGreaterThan(0);
    expect(requested.state.config.view.lab).toBe("attention");
    expect([requested.parts.size, requested.focus.length]).toEqual([0, 1]);
  }
  Object.assign(by, { src: "#v=1&lab=positions", ui: "none", theme: "dark", lang: "en", only: null });
  expect(requested.state).toMatchObject({
    notices: [],
    config: { view: { lab: "positions", theme: "dark" } },
  });
});

test("a link longer than it declares is reported as cut; a link with the fields of a frame is not", () => {
  const by: Record<string, unknown> = {
    src: "#v=1&",
    ui: null,
    theme: null,
    lang: null,
    only: null,
    focusTensors: null,
  };
  const requested = new RequestedState(by as unknown as Attributes, () => opening);
  expect(requested.state.notices).toEqual([{ kind: "cut" }]);
  by.src = "#v=1";
  expect(requested.state.notices).toEqual([]);
  by.src = "#ui=none&v=1&theme=auto";
  expect(requested.state.notices).toEqual([]);
});

test("a frame that trains opens every link before the first step, without the cells of later steps", () => {
  const training = { first: "learn-to-reverse", stateOf: untrained };
  const opened = (src: string) => {
    const by = { src, ui: null, theme: null, lang: null, only: null, pageTheme: "light", focusTensors: null };
    return new RequestedState(by as Attributes, () => training).state.config;
  };
  const first = opened("");
  expect(first).toMatchObject({ example: "learn-to-reverse", numbers: { step: 0 } });
  const later = opened("#v=1&lab=training&seed=5&step=40&cell=run_0.losses,30&pinned");
  expect(later).toMatchObject({ numbers: { seed: 5, step: 0 }, view: { cell: null, pinned: false } });
  expect(opened("#v=1&lab=training&step=400").example).toBe("learn-to-reverse");
  const cell = { node: "layer_0.focus", index: [1] };
  expect(opened("#v=1&lab=training&step=40&cell=layer_0.focus,1").view.cell).toEqual(cell);
  expect(opened("#v=1&lab=training&before.step=40").view.before).toMatchObject({ step: 0 });
  expect(opened("#v=1&lab=vit").view.lab).toBe("vit");
});
