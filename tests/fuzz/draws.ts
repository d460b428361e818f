/** Random draws that are the same for the same seed and number, on every machine. */
export class Draws {
  private state: number;

  constructor(seed: number, number: number) {
    this.state = Math.imul(seed, 0x9e3779b1) ^ Math.imul(number + 1, 0x85ebca6b);
  }

  /** 32 random bits: a hashed counter. */
  bits(): number {
    this.state = (this.state + 0x9e3779b9) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 16), 0x85ebca6b);
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
    return (mixed ^ (mixed >>> 16)) >>> 0;
  }

  /** A whole number from 0, below `count`. */
  below(count: number): number {
    return this.bits() % count;
  }

  /** True once in `count` times on average. */
  once(count: number): boolean {
    return this.below(count) === 0;
  }

  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)]!;
  }
}
