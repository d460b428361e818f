/** What is made of an object once, and is forgotten with it: the board of a placed tensor, the largest number of a snapshot. */

/** `make`, which makes of each object one thing and then gives the same again. */
export function memoizedBy<Thing extends object, Made>(make: (thing: Thing) => Made): (thing: Thing) => Made {
  const made = new WeakMap<Thing, { is: Made }>();
  return (thing) => {
    let known = made.get(thing);
    if (!known) made.set(thing, (known = { is: make(thing) }));
    return known.is;
  };
}
