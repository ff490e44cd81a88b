// Whether work grows linearly with its input: processor time at n, 2n and 4n, in one process.

/** Work with its input already made, so that only the work is measured. */
export type Prepare = (size: number) => () => unknown

/** Less than this, in ms of processor time, harms nobody, and collections of garbage hide its growth. */
const NEGLIGIBLE_MS = 100

/** Linear work takes 4 times as long at 4n, with collections of garbage some more; quadratic work 16 times. */
const MAX_RATIO = 8

/** A busy machine spoils a measurement, not three. */
const MAX_ATTEMPTS = 3

export interface Growth {
  /** In ms, at n, 2n and 4n. */
  times: [number, number, number]
  isLinear: boolean
}

export async function measureGrowth(prepare: Prepare, size: number): Promise<Growth> {
  for (let attempt = 1; ; attempt += 1) {
    const times: Growth['times'] = [0, 0, 0]
    for (const [place, factor] of [1, 2, 4].entries())
      times[place] = await processorMs(prepare(size * factor))
    const isLinear =
      times[2] <= NEGLIGIBLE_MS || times[2] <= MAX_RATIO * Math.max(times[0], NEGLIGIBLE_MS / 4)
    if (isLinear || attempt === MAX_ATTEMPTS) return { times, isLinear }
  }
}

/** The least of two runs: the first may compile code. */
async function processorMs(work: () => unknown): Promise<number> {
  let least = Infinity
  for (let run = 0; run < 2; run += 1) {
    const before = process.cpuUsage()
    await work()
    const { user, system } = process.cpuUsage(before)
    least = Math.min(least, (user + system) / 1_000)
    if (least > 2_000) break
  }
  return least
}

/** All cases with `GROWTH=all`, else an even share: `npm test` has little time. */
export function drawn<Case>(cases: readonly Case[], count: number): Case[] {
  if (process.env.GROWTH === 'all' || cases.length <= count) return [...cases]
  return Array.from({ length: count }, (_, index) => cases[Math.floor((index * cases.length) / count)]!)
}
