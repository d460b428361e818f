/// <reference lib="esnext.disposable" preserve="true" />
/** Symbol.dispose, which `using` calls, also in engines that do not have it yet. */
export const dispose: typeof Symbol.dispose = (Symbol.dispose ??
  Symbol.for("Symbol.dispose")) as typeof Symbol.dispose;
