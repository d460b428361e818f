/**
 * Sets style properties of an element from an object. Lit's own directive first writes a style attribute,
 * which the page's security policy forbids.
 */
import { noChange } from "lit";
import { Directive, PartType, directive, type AttributePart, type PartInfo } from "lit/directive.js";

export type StyleInfo = Readonly<Record<string, string | number | null | undefined>>;

const property = (name: string): string =>
  name.startsWith("--") ? name : name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

class StyleMap extends Directive {
  #set = new Map<string, string>();

  constructor(part: PartInfo) {
    super(part);
    if (part.type !== PartType.ATTRIBUTE || part.name !== "style")
      throw new Error("styleMap must be the only value of a style attribute");
  }

  render(_info: StyleInfo): typeof noChange {
    return noChange;
  }

  override update(part: AttributePart, [info]: [StyleInfo]): typeof noChange {
    const { style } = part.element as HTMLElement | SVGElement;
    for (const name of this.#set.keys()) {
      if (info[name] === undefined || info[name] === null) {
        style.removeProperty(property(name));
        this.#set.delete(name);
      }
    }
    for (const [name, value] of Object.entries(info)) {
      if (value === undefined || value === null) continue;
      const text = String(value);
      if (this.#set.get(name) === text) continue;
      this.#set.set(name, text);
      style.setProperty(property(name), text);
    }
    return noChange;
  }
}

/** Sets style properties one by one: `style=${styleMap({ left: "4px" })}`. */
export const styleMap = directive(StyleMap);
