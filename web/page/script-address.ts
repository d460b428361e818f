/**
 * Script addresses under Trusted Types: one named policy, used only here, that accepts the page's own
 * workers.
 */

interface Policy {
  createScriptURL(address: string): unknown;
}

interface Factory {
  createPolicy(name: string, rules: { createScriptURL: (address: string) => string }): Policy;
}

let policy: Policy | null = null;

/** Returns an address of this origin, or of an object made in this page. Throws TypeError for any other. */
function requireOwnAddress(address: string): string {
  const { protocol, origin } = new URL(address, document.baseURI);
  if (protocol !== "blob:" && origin !== location.origin)
    throw new TypeError(`expected a script of ${location.origin} or a blob: URL, got ${address}`);
  return address;
}

/**
 * The address in the form that `new Worker` accepts: wrapped in engines with Trusted Types, else as it is.
 * Throws TypeError when it is not the page's own.
 */
export function scriptAddress(address: string): unknown {
  const ownAddress = requireOwnAddress(address);
  const factory = (globalThis as { trustedTypes?: Factory }).trustedTypes;
  if (!factory) return ownAddress;
  try {
    policy ??= factory.createPolicy("attention-playground", { createScriptURL: requireOwnAddress });
    return policy.createScriptURL(ownAddress);
  } catch {
    // The host page's policy allows other names only, so it does not enforce ours.
    return ownAddress;
  }
}
