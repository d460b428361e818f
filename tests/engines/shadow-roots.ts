/** Finds elements inside shadow roots too, which these engines' protocols cannot do, unlike Playwright's locators. */

/** Runs in the page: all elements that match a selector. It may use nothing defined outside of it. */
export function queryAll(selector: string): Element[] {
  const within = (root: ParentNode): Element[] =>
    [...root.querySelectorAll("*")].flatMap((element) => {
      // eslint-disable-next-line no-restricted-syntax -- the one way in where a driver has no locators
      const { shadowRoot } = element;
      return [...(element.matches(selector) ? [element] : []), ...(shadowRoot ? within(shadowRoot) : [])];
    });
  return within(document);
}

/** An expression: the text of the first match, on one line; null if there is none. */
export const textOf = (selector: string): string =>
  `((${queryAll})(${JSON.stringify(selector)})[0]?.textContent ?? null)?.replace(/\\s+/g, " ").trim()`;

/** The note, which has a heading with a number's address. */
export const note = "section:has(> header h2)";

/** The stage of a lab when the page waits for no answer. */
export const idleStage = '.stage[role=region][aria-busy="false"]';
