/** What these engines' protocols do not find, and Playwright's locators do: elements of a page, those in shadow roots too. */

/** In the page: all that match a selector. It may use nothing that is not its own. */
export function pierced(selector: string): Element[] {
  const within = (root: ParentNode): Element[] =>
    [...root.querySelectorAll("*")].flatMap((element) => {
      // eslint-disable-next-line no-restricted-syntax -- the one way in where a driver has no locators
      const { shadowRoot } = element;
      return [...(element.matches(selector) ? [element] : []), ...(shadowRoot ? within(shadowRoot) : [])];
    });
  return within(document);
}

/** An expression: the text of the first that matches, on one line; null where there is none. */
export const textOf = (selector: string): string =>
  `((${pierced})(${JSON.stringify(selector)})[0]?.textContent ?? null)?.replace(/\\s+/g, " ").trim()`;

/** The note: what it says of a number. */
export const note = "section:has(> header h2)";

/** The numbers of a lab once no answer is awaited. */
export const answered = '.stage[role=region][aria-busy="false"]';
