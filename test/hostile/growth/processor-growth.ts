// Whether work grows linearly with its input: processor time and memory at n, 2n and 4n, in one process.
import { GCProfiler, getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect } from 'vitest'

/** Work with its input already made, so that only the work is measured. */
export type Prepare = (size: number) => () => unknown

/** Less than this, in ms of processor time, harms nobody, and collections of garbage hide its growth. */
const NEGLIGIBLE_MS = 100

/** Less than this is what the engine leaves for its next collection of garbage. */
const NEGLIGIBLE_BYTES = 48 * 1024 * 1024

/** Linear work takes 4 times as much at 4n, with collections of garbage some more; quadratic work 16 times. */
const MAX_RATIO = 8

/** A busy machine spoils a measurement, not five. */
const MAX_ATTEMPTS = 5

type Series = [number, number, number]

export interface Growth {
  /** Processor time in ms, at n, 2n and 4n. */
  times: Series
  /** Peak memory, at n, 2n and 4n. */
  bytes: Series
  isLinear: boolean
}

/** What a test expects of a growth: the figures are in the message of a failure. */
export const LINEAR = { times: expect.anything(), bytes: expect.anything(), isLinear: true }

/** Smaller sizes are measured only where 4n is not negligible. */
export async function measureGrowth(prepare: Prepare, size: number): Promise<Growth> {
  for (let attempt = 1; ; attempt += 1) {
    const growth: Growth = { times: [0, 0, 0], bytes: [0, 0, 0], isLinear: true }
    for (const place of [2, 1, 0] as const) {
      const { ms, bytes } = await measure(prepare(size * 2 ** place))
      growth.times[place] = ms
      growth.bytes[place] = bytes
      if (place === 2 && ms <= NEGLIGIBLE_MS && bytes <= NEGLIGIBLE_BYTES) return growth
    }
    growth.isLinear = isLinear(growth.times, NEGLIGIBLE_MS) && isLinear(growth.bytes, NEGLIGIBLE_BYTES)
    if (growth.isLinear || attempt === MAX_ATTEMPTS) return growth
  }
}

const isLinear = ([first, , last]: Series, negligible: number): boolean =>
  last <= negligible || last <= MAX_RATIO * Math.max(first, negligible / 4)

/** The least of two runs: the first may compile code. */
async function measure(work: () => unknown): Promise<{ ms: number; bytes: number }> {
  const least = { ms: Infinity, bytes: Infinity }
  for (let run = 0; run < 2; run += 1) {
    collectGarbage()
    const memory = watchMemory()
    const before = process.cpuUsage()
    // Held until the memory is read: what work returns is a part of it.
    const result = await work()
    const { user, system } = process.cpuUsage(before)
    least.ms = Math.min(least.ms, (user + system) / 1_000)
    least.bytes = Math.min(least.bytes, memory.peak())
    void result
    if (least.ms > 2_000 || (least.ms <= NEGLIGIBLE_MS && least.bytes <= NEGLIGIBLE_BYTES)) break
  }
  return least
}

/** The largest heap that a collection of garbage finds, and the one at the end; with buffers outside of the heap. */
function watchMemory(): { peak(): number } {
  const profiler = new GCProfiler()
  const start = heldBytes(getHeapStatistics())
  profiler.start()
  return {
    peak() {
      const { statistics = [] } = profiler.stop() ?? {}
      const held = statistics.map(({ afterGC }) => afterGC.heapStatistics).map(gcBytes)
      return Math.max(...held, heldBytes(getHeapStatistics())) - start
    },
  }
}

const heldBytes = ({
  used_heap_size: heap,
  external_memory: external,
}: ReturnType<typeof getHeapStatistics>) => heap + external

const gcBytes = ({ usedHeapSize, externalMemory }: { usedHeapSize: number; externalMemory: number }) =>
  usedHeapSize + externalMemory

/** Of what is young: all of it would take longer than most of the work. */
function collectGarbage(): void {
  gc({ type: 'minor' })
}

setFlagsFromString('--expose-gc')
const gc = runInNewContext('gc') as (options: { type: 'minor' }) => void

/** Which cases a small draw takes; the titles have it. */
export const SEED = Number(process.env.GROWTH_SEED || Date.now() % 1_000_003)

/** All cases with `GROWTH=all`, else an even share of them: `npm test` has little time. */
export function drawn<Case>(cases: readonly Case[], count: number): Case[] {
  if (process.env.GROWTH === 'all' || cases.length <= count) return [...cases]
  return Array.from({ length: count }, (_, index) => {
    const place = Math.floor((index * cases.length) / count) + SEED
    return cases[place % cases.length]!
  })
}
