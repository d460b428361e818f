// Clones of repositories at a known commit: a tag may be moved, a commit cannot.

import { SetupError } from "./progress.mjs";
import { run } from "./run.mjs";

/** Clones a tag of a repository into a folder. Throws where the tag is not at the expected commit. */
export async function clonePinned({ repository, tag, commit }, folder, options) {
  await run("git", ["clone", "--quiet", "--depth=1", "--branch", tag, repository, folder], options);
  const actual = (await run("git", ["-C", folder, "rev-parse", "HEAD"])).trim();
  if (actual !== commit)
    throw new SetupError(`the tag ${tag} of ${repository} is commit ${actual}; expected ${commit}`);
}
