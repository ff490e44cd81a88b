// A least-recently-used cache that is bounded by the total weight of its entries.

interface Entry<Key, Value> {
  readonly key: Key
  readonly value: Value
  readonly weight: number
  /** The neighbours in the order of use. */
  older: Entry<Key, Value> | null
  newer: Entry<Key, Value> | null
}

/**
 * A weight may be bytes, steps, or 1 for each entry. Every operation takes constant time, except for evictions.
 *
 * The order of use is a linked list beside the map. Reinserting into the map is less code but several times slower, because the map is rebuilt
 * to remove deleted slots.
 */
export class LruCache<Key, Value> {
  readonly maxWeight: number
  readonly #entries = new Map<Key, Entry<Key, Value>>()
  #oldest: Entry<Key, Value> | null = null
  #newest: Entry<Key, Value> | null = null
  #weight = 0

  /** @param maxWeight the total weight of all entries */
  constructor(maxWeight: number) {
    this.maxWeight = maxWeight
  }

  /** The total weight of the entries, which is never above `maxWeight`. */
  get weight(): number {
    return this.#weight
  }

  /** The number of entries. */
  get size(): number {
    return this.#entries.size
  }

  /** Reads an entry and makes it the most recently used one. */
  get(key: Key): Value | undefined {
    const entry = this.#entries.get(key)
    if (entry === undefined) return undefined
    if (entry !== this.#newest) {
      this.#unlink(entry)
      this.#append(entry)
    }
    return entry.value
  }

  /** Reads an entry without changing the order of use. */
  peek(key: Key): Value | undefined {
    return this.#entries.get(key)?.value
  }

  /**
   * Stores a value as the most recently used one, and evicts others until all fit. A value heavier than `maxWeight` is not stored, and an
   * older value of its key is removed.
   * @param weight of the entry, at least 0
   */
  set(key: Key, value: Value, weight: number): void {
    this.delete(key)
    if (weight > this.maxWeight) return
    const entry = { key, value, weight, older: null, newer: null }
    this.#entries.set(key, entry)
    this.#append(entry)
    this.#weight += weight
    while (this.#weight > this.maxWeight) this.delete(this.#oldest!.key)
  }

  /** Removes an entry. Returns whether there was one. */
  delete(key: Key): boolean {
    const entry = this.#entries.get(key)
    if (entry === undefined) return false
    this.#unlink(entry)
    this.#weight -= entry.weight
    return this.#entries.delete(key)
  }

  /** Yields entries, the least recently used first. The loop may delete the current entry. */
  *[Symbol.iterator](): Generator<[Key, Value]> {
    for (let entry = this.#oldest; entry !== null;) {
      const { key, value, newer } = entry
      yield [key, value]
      entry = newer
    }
  }

  #append(entry: Entry<Key, Value>): void {
    entry.older = this.#newest
    entry.newer = null
    if (this.#newest === null) this.#oldest = entry
    else this.#newest.newer = entry
    this.#newest = entry
  }

  #unlink(entry: Entry<Key, Value>): void {
    const { older, newer } = entry
    if (older === null) this.#oldest = newer
    else older.newer = newer
    if (newer === null) this.#newest = older
    else newer.older = older
  }
}
