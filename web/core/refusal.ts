/**
 * Whether an error says that the core refused what it was asked. Any other error means that the core itself failed: WebAssembly reports a
 * crash, after which its memory may be damaged.
 */
export const isRefusal = (error: unknown): error is Error =>
  error instanceof Error && !(error instanceof WebAssembly.RuntimeError);
