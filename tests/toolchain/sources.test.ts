/** The machine's apt sources, in both formats: they decide where packages are fetched. */
import { expect, test } from "vitest";
import { oneLineEntries, stanzaEntries } from "../../toolchain/debian.mjs";

test("lines with options, comments, and sources of source packages", () => {
  const text = [
    "# deb http://old.example/debian bookworm main",
    "deb [arch=amd64 signed-by=/usr/share/keyrings/archive.gpg] http://mirror.example/debian bookworm main contrib",
    "deb-src http://mirror.example/debian bookworm main",
    "deb http://mirror.example/debian-security bookworm-security main",
  ].join("\n");
  expect(oneLineEntries(text)).toEqual([
    {
      uri: "http://mirror.example/debian",
      suite: "bookworm",
      components: ["main", "contrib"],
      signedBy: "/usr/share/keyrings/archive.gpg",
    },
    {
      uri: "http://mirror.example/debian-security",
      suite: "bookworm-security",
      components: ["main"],
      signedBy: undefined,
    },
  ]);
});

test("stanzas with several suites, comments inside, disabled ones, and an inline key", () => {
  const text = `Types: deb deb-src
# the mirror nearest to us
URIs: http://mirror.example/debian
Suites: trixie trixie-updates
Components: main
Signed-By: /usr/share/keyrings/archive.gpg

Enabled: no
Types: deb
URIs: http://off.example/debian
Suites: trixie
Components: main

Types: deb
URIs: http://vendor.example/apt
Suites: stable
Components: main
Signed-By:
 -----BEGIN PGP PUBLIC KEY BLOCK-----
 .
 -----END PGP PUBLIC KEY BLOCK-----
`;
  expect(stanzaEntries(text)).toEqual([
    ...["trixie", "trixie-updates"].map((suite) => ({
      uri: "http://mirror.example/debian",
      suite,
      components: ["main"],
      signedBy: "/usr/share/keyrings/archive.gpg",
    })),
    { uri: "http://vendor.example/apt", suite: "stable", components: ["main"], signedBy: undefined },
  ]);
});
