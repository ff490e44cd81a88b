// Chance that can be repeated: mulberry32.

export interface Random {
  /** From 0 to 1. */
  next(): number
  isLikely(probability: number): boolean
  /** A whole number from 0 to `end - 1`. */
  below(end: number): number
  pick<T>(choices: readonly T[]): T
  shuffled<T>(items: readonly T[]): T[]
  uuid(): string
}

export function createRandom(seed: number): Random {
  let state = seed
  function next(): number {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (end: number) => Math.floor(next() * end)
  const hex = (digits: number) => Array.from({ length: digits }, () => below(16).toString(16)).join('')
  return {
    next,
    isLikely: (probability) => next() < probability,
    below,
    pick: (choices) => choices[below(choices.length)]!,
    shuffled: (items) =>
      items
        .map((item) => ({ item, place: next() }))
        .sort((a, b) => a.place - b.place)
        .map(({ item }) => item),
    uuid: () => `${hex(8)}-${hex(4)}-4${hex(3)}-8${hex(3)}-${hex(12)}`,
  }
}
