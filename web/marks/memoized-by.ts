/** Memoizes values by object. A value is released together with its object: the board of a placed tensor, the largest number of a snapshot. */

/** Returns `make`, memoized by its argument. */
export function memoizedBy<Thing extends object, Value>(
  make: (thing: Thing) => Value,
): (thing: Thing) => Value {
  const values = new WeakMap<Thing, { value: Value }>();
  return (thing) => {
    let memoized = values.get(thing);
    if (!memoized) values.set(thing, (memoized = { value: make(thing) }));
    return memoized.value;
  };
}
