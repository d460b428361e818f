/** Script addresses under Trusted Types: one named policy that passes the page's own workers, and nothing else uses it. */

interface Policy {
  createScriptURL(address: string): unknown;
}

interface Factory {
  createPolicy(name: string, rules: { createScriptURL: (address: string) => string }): Policy;
}

let policy: Policy | null = null;

/** An address of this origin or made in this page. Throws TypeError for any other. */
function own(address: string): string {
  const { protocol, origin } = new URL(address, document.baseURI);
  if (protocol !== "blob:" && origin !== location.origin)
    throw new TypeError(`${address} is no script of this page`);
  return address;
}

/** The address as `new Worker` takes it: wrapped where the engine asks for it, else as it is. Throws TypeError where it is not the page's own. */
export function scriptAddress(address: string): unknown {
  const checked = own(address);
  const factory = (globalThis as { trustedTypes?: Factory }).trustedTypes;
  if (!factory) return checked;
  try {
    policy ??= factory.createPolicy("attention-playground", { createScriptURL: own });
    return policy.createScriptURL(checked);
  } catch {
    // A page around us names other policies only; it does not ask for ours then.
    return checked;
  }
}
