/// <reference lib="esnext.disposable" preserve="true" />
/** Symbol.dispose, also where the engine does not have it yet: what `using` calls. */
export const dispose: typeof Symbol.dispose = (Symbol.dispose ??
  Symbol.for("Symbol.dispose")) as typeof Symbol.dispose;
