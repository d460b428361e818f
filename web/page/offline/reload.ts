/** Reloads the page with the newest version of the site that can be fetched. */
export function reloadNewest(): void {
  void import("./keep-site.js").then(
    (keeping) => keeping.reloadNewest(),
    () => location.reload(),
  );
}
