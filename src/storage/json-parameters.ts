// Lists as JSON parameters of statements.
import { Buffer } from 'node:buffer'

/** Maximum bytes of a parameter. D1 allows 2 MB for a parameter, and for values that are derived from it. */
export const MAX_PARAMETER_BYTES = 900_000

/** Splits a list, in order. An item larger than `maxBytes` is a chunk of its own. */
export function chunksOf<Item>(
  items: readonly Item[],
  sizeOf: (item: Item) => number,
  maxBytes: number,
  maxItems = Infinity,
): Item[][] {
  const chunks: Item[][] = []
  let size = 0
  for (const item of items) {
    const itemSize = sizeOf(item)
    const chunk = chunks.at(-1)
    if (chunk && chunk.length < maxItems && size + itemSize <= maxBytes) {
      chunk.push(item)
      size += itemSize
    } else {
      chunks.push([item])
      size = itemSize
    }
  }
  return chunks
}

/** Splits a list into JSON arrays, each of which fits into one parameter. An empty list has none. */
export const jsonParameters = (items: readonly unknown[]): string[] =>
  chunksOf(
    items.map((item) => JSON.stringify(item)),
    (text) => Buffer.byteLength(text) + 1,
    MAX_PARAMETER_BYTES - 2,
  ).map((chunk) => `[${chunk.join(',')}]`)
