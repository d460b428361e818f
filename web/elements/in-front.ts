/** Modal dialogs. While one is open no key of the page behind it does anything, even where the focus has fallen to the page. */

const opened = new Set<HTMLDialogElement>();

/** Opens a dialog in front of everything; nothing where it is open already or missing. */
export function showInFront(dialog: HTMLDialogElement | null): void {
  if (!dialog || dialog.open) return;
  dialog.showModal();
  opened.add(dialog);
  dialog.addEventListener("close", () => opened.delete(dialog), { once: true });
}

export const dialogInFront = (): boolean => [...opened].some((dialog) => dialog.isConnected && dialog.open);
