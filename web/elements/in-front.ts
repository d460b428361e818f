/**
 * Modal dialogs. While one is open, the keyboard shortcuts of the page behind it are off, even when the page
 * has the focus.
 */

const opened = new Set<HTMLDialogElement>();

/** Opens a modal dialog; does nothing when it is open already or missing. */
export function showInFront(dialog: HTMLDialogElement | null): void {
  if (!dialog || dialog.open) return;
  dialog.showModal();
  opened.add(dialog);
  dialog.addEventListener("close", () => opened.delete(dialog), { once: true });
}

export const dialogInFront = (): boolean => [...opened].some((dialog) => dialog.isConnected && dialog.open);
