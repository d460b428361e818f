/** Strings about a newer version of the site. */
export const en = {
  "version.ready": "A newer version is ready.",
  "version.ready_body": "This page stays with the version it was opened with.",
  "version.reload": "Reload",
} as const;
