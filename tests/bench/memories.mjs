// Measures WebAssembly memory: counts every memory that is created or exported after `countMemories`.

const memories = new Set();

function count(value) {
  if (value instanceof WebAssembly.Memory) memories.add(value);
}

const countExports = (instance) => Object.values(instance.exports).forEach(count);

/** Replaces the functions that create memories and instances by functions that also count them. Call it before any library is loaded. */
export function countMemories() {
  const { Memory, Instance, instantiate, instantiateStreaming } = WebAssembly;
  const counting = (countIn) => ({
    construct(target, parameters, newTarget) {
      const created = Reflect.construct(target, parameters, newTarget);
      countIn(created);
      return created;
    },
  });
  WebAssembly.Memory = new Proxy(Memory, counting(count));
  WebAssembly.Instance = new Proxy(Instance, counting(countExports));
  const countingAsync =
    (create) =>
    async (...parameters) => {
      const created = await create.apply(WebAssembly, parameters);
      countExports(created.instance ?? created);
      return created;
    };
  WebAssembly.instantiate = countingAsync(instantiate);
  WebAssembly.instantiateStreaming = countingAsync(instantiateStreaming);
}

/** The bytes of all memories together. */
export const memoryBytes = () => [...memories].reduce((sum, { buffer }) => sum + buffer.byteLength, 0);
