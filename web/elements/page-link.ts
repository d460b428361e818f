/** A click on a link that opens in this page: sends an event from the link instead, unless the reader asked for a new tab or window. */
export function openInPage(event: MouseEvent, name: string, detail: Record<string, unknown>): void {
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  event.currentTarget?.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
}
