/** Reloads the page with the newest version of the site that can be fetched. */
export function reloadNewest(): void {
  void import("./keeping.js").then(
    (keeping) => keeping.reloadNewest(),
    () => location.reload(),
  );
}
