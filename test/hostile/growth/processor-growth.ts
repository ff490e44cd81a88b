// Whether work grows linearly with its input: processor time and memory at n and 4n, in one process.
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

/** At n and at 4n. */
type Pair = [number, number]

export interface Growth {
  /** Processor time in ms. */
  times: Pair
  /** Peak memory. */
  bytes: Pair
  isLinear: boolean
}

/** What a test expects of a growth: the figures are in the message of a failure. */
export const LINEAR = { times: expect.anything(), bytes: expect.anything(), isLinear: true }

/**
 * Most of the work is at 4n, which runs once where that is enough: n is measured only where 4n is not negligible, and 4n again only where it
 * seems to take too much, since a second run can only find less.
 */
export async function measureGrowth(prepare: Prepare, size: number): Promise<Growth> {
  for (let attempt = 1; ; attempt += 1) {
    const last = await measure(prepare(4 * size), attempt === 1 ? 1 : 2)
    if (isNegligible(last)) return { times: [0, last.ms], bytes: [0, last.bytes], isLinear: true }
    const first = await measure(prepare(size), 2)
    const growth: Growth = {
      times: [first.ms, last.ms],
      bytes: [first.bytes, last.bytes],
      isLinear:
        isLinear(first.ms, last.ms, NEGLIGIBLE_MS) && isLinear(first.bytes, last.bytes, NEGLIGIBLE_BYTES),
    }
    if (growth.isLinear || attempt === MAX_ATTEMPTS) return growth
  }
}

interface Cost {
  ms: number
  bytes: number
}

const isNegligible = ({ ms, bytes }: Cost): boolean => ms <= NEGLIGIBLE_MS && bytes <= NEGLIGIBLE_BYTES

const isLinear = (first: number, last: number, negligible: number): boolean =>
  last <= negligible || last <= MAX_RATIO * Math.max(first, negligible / 4)

/** The least of some runs: the first may compile code. */
async function measure(work: () => unknown, runs: number): Promise<Cost> {
  const least = { ms: Infinity, bytes: Infinity }
  for (let run = 0; run < runs; run += 1) {
    collectGarbage()
    const memory = watchMemory()
    const before = process.cpuUsage()
    // Held until the memory is read: what work returns is a part of it.
    const result = await work()
    const { user, system } = process.cpuUsage(before)
    least.ms = Math.min(least.ms, (user + system) / 1_000)
    least.bytes = Math.min(least.bytes, memory.peak())
    void result
    if (least.ms > 2_000 || isNegligible(least)) break
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
