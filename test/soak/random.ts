// Choices that a seed repeats. Which request is answered first is not among them.

export interface Random {
  /** From 0 up to 1. */
  next(): number
  /** A whole number of `from` to `to`, both included. */
  between(from: number, to: number): number
  pick<T>(items: readonly T[]): T
}

/** mulberry32. @param seed a whole number. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    next,
    between: (from, to) => from + Math.floor(next() * (to - from + 1)),
    pick: (items) => items[Math.floor(next() * items.length)]!,
  }
}
