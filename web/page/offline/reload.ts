/** The page anew, as the newest version of the site that can be had. */
export function reloadNewest(): void {
  void import("./keeping.js").then(
    (keeping) => keeping.reloadNewest(),
    () => location.reload(),
  );
}
