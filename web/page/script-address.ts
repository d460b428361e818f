/** Script addresses under Trusted Types: one named policy that passes the page's own worker, and nothing else uses it. */

interface Policy {
  createScriptURL(address: string): unknown;
}

interface Factory {
  createPolicy(name: string, rules: { createScriptURL: (address: string) => string }): Policy;
}

let policy: Policy | null = null;

/** The address as `new Worker` takes it: wrapped where the engine asks for it, else as it is. */
export function scriptAddress(address: string): unknown {
  const factory = (globalThis as { trustedTypes?: Factory }).trustedTypes;
  if (!factory) return address;
  try {
    policy ??= factory.createPolicy("attention-playground", { createScriptURL: (own) => own });
    return policy.createScriptURL(address);
  } catch {
    // A page around us names other policies only; it does not ask for ours then.
    return address;
  }
}
