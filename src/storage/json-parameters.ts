// Lists as JSON parameters that a statement can bear. Pure.
import { Buffer } from 'node:buffer'

/** Bytes of JSON that one parameter may have. D1 takes 2 MB, for the parameter and for whatever is made of it. */
export const MAX_PARAMETER_BYTES = 900_000

/**
 * Cuts a list, in order, into runs.
 * @param mostBytes what the sizes of a run's items may add up to. An item that is larger makes a run of its own.
 * @param mostItems how many items a run may have.
 */
export function runsOf<Item>(
  items: readonly Item[],
  sizeOf: (item: Item) => number,
  mostBytes: number,
  mostItems = Infinity,
): Item[][] {
  const runs: Item[][] = []
  let size = 0
  for (const item of items) {
    const itemSize = sizeOf(item)
    const run = runs.at(-1)
    if (run && run.length < mostItems && size + itemSize <= mostBytes) {
      run.push(item)
      size += itemSize
    } else {
      runs.push([item])
      size = itemSize
    }
  }
  return runs
}

/** A list as JSON arrays, each of which fits into one parameter. None for an empty list. */
export const jsonParameters = (items: readonly unknown[]): string[] =>
  runsOf(
    items.map((item) => JSON.stringify(item)),
    (text) => Buffer.byteLength(text) + 1,
    MAX_PARAMETER_BYTES - 2,
  ).map((run) => `[${run.join(',')}]`)
