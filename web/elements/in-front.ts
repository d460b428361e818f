/**
 * Modal dialogs. While one is open, the keyboard shortcuts of the page behind it are off, even when the page
 * has the focus.
 */

const openDialogs = new Set<HTMLDialogElement>();

/** Opens a modal dialog; does nothing when it is open already or missing. */
export function showInFront(dialog: HTMLDialogElement | null): void {
  if (!dialog || dialog.open) return;
  dialog.showModal();
  openDialogs.add(dialog);
  dialog.addEventListener("close", () => openDialogs.delete(dialog), { once: true });
}

export const hasOpenDialog = (): boolean =>
  [...openDialogs].some((dialog) => dialog.isConnected && dialog.open);
