// Clones of which the commit is known before: a tag may be moved, a commit may not.

import { SetupError } from "./progress.mjs";
import { run } from "./run.mjs";

/** Clones the tag of a repository into a folder. Throws where the tag is not of the expected commit. */
export async function clonePinned({ repository, tag, commit }, folder, options) {
  await run("git", ["clone", "--quiet", "--depth=1", "--branch", tag, repository, folder], options);
  const actual = (await run("git", ["-C", folder, "rev-parse", "HEAD"])).trim();
  if (actual !== commit)
    throw new SetupError(`the tag ${tag} of ${repository} is commit ${actual}; expected ${commit}`);
}
