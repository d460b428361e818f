// Counts the WebAssembly memory: every memory that is made or exported after countMemories().

const memories = new Set();

function count(found) {
  if (found instanceof WebAssembly.Memory) memories.add(found);
}

const countExports = (instance) => Object.values(instance.exports).forEach(count);

/** Replaces the functions that make memories and instances by ones that count. Call it before any library is loaded. */
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

/** The bytes of all counted memories. */
export const memoryBytes = () => [...memories].reduce((sum, { buffer }) => sum + buffer.byteLength, 0);
