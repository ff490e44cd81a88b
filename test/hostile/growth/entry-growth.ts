// Every way in for a caller's bytes, with every hostile shape that means something to it: time and memory grow with the bytes, not faster.
import { describe, expect, it } from 'vitest'
import { drawn, LINEAR, measureGrowth, SEED } from './processor-growth'
import type { Entry } from './shapes'

/** Cases of each table in a small draw. */
const DRAWN = 4

/** Errors of the engine, such as one for a stack that is full, are faults and no refusals. */
const isFault = (error: unknown): boolean =>
  !(error instanceof Error) || error instanceof RangeError || error instanceof TypeError

/** @returns the result of work, or the error that it is refused by. @throws what is a fault */
export async function refusalOf(work: () => unknown): Promise<unknown> {
  try {
    return await work()
  } catch (error) {
    if (isFault(error)) throw error
    return error
  }
}

/** A test for each shape of each entry. Each table has a file of its own: files are measured beside each other. */
export function itGrowsLinearly(table: string, entries: readonly Entry[]): void {
  const cases = entries.flatMap((entry) =>
    Object.entries(entry.shapes).map(([shape, inputOf]) => ({
      title: `${entry.name}: ${shape}`,
      entry,
      inputOf,
    })),
  )
  describe(`the work for input of ${table} grows linearly (GROWTH_SEED=${SEED})`, () => {
    it.for(drawn(cases, DRAWN))('$title', async ({ entry, inputOf }) => {
      const growth = await measureGrowth((size) => {
        const input = inputOf(size)
        return () => refusalOf(() => entry.read(input))
      }, entry.max / 4)
      expect(growth).toEqual(LINEAR)
    })
  })
}
