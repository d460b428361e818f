// How much WebAssembly memory there is: every memory that is made or exported from here on is counted.

const memories = new Set();

function count(found) {
  if (found instanceof WebAssembly.Memory) memories.add(found);
}

const countExports = (instance) => Object.values(instance.exports).forEach(count);

/** Replaces the ways to make memories and instances by ones that count. To be called before any library is loaded. */
export function countMemories() {
  const { Memory, Instance, instantiate, instantiateStreaming } = WebAssembly;
  const counting = (then) => ({
    construct(target, given, as) {
      const made = Reflect.construct(target, given, as);
      then(made);
      return made;
    },
  });
  WebAssembly.Memory = new Proxy(Memory, counting(count));
  WebAssembly.Instance = new Proxy(Instance, counting(countExports));
  const awaited =
    (make) =>
    async (...given) => {
      const made = await make.apply(WebAssembly, given);
      countExports(made.instance ?? made);
      return made;
    };
  WebAssembly.instantiate = awaited(instantiate);
  WebAssembly.instantiateStreaming = awaited(instantiateStreaming);
}

/** Bytes of all memories. */
export const memoryBytes = () => [...memories].reduce((sum, { buffer }) => sum + buffer.byteLength, 0);
