// The state that an element's attributes ask for: the same objects for the same attributes, so that its link
// is encoded once.
import { expect, test } from "vitest";
import { RequestedState, type Attributes } from "../../web/page/element/requested-state.js";

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
  const requested = new RequestedState(by);
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
  const requested = new RequestedState(by as unknown as Attributes);
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
  const requested = new RequestedState(by as unknown as Attributes);
  expect(requested.state.notices).toEqual([{ kind: "cut" }]);
  by.src = "#v=1";
  expect(requested.state.notices).toEqual([]);
  by.src = "#ui=none&v=1&theme=auto";
  expect(requested.state.notices).toEqual([]);
});
