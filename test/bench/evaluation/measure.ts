// Counts evaluations a second of one engine, one scenario at a time, on one core.

import type { TestResponse, Engine, Scenario } from './engine'

const BATCH = 2_000
const WARM_UP = 400
const SAMPLE = 400
const SAMPLES = 5

export interface Measurement {
  /** The median of the samples. */
  readonly perSecond: number
  /** How often each response was given in one batch, as shares: engines that mean the same give the same. */
  readonly shares: ReadonlyMap<string, number>
}

/** Measures one scenario: a warm-up, then the median of several samples, each over ever new subjects. */
export async function measure(engine: Engine, scenario: Scenario): Promise<Measurement> {
  const ask = engine[scenario].bind(engine)
  let next = 0
  const asynchronous = ask(0) instanceof Promise
  const batch = asynchronous
    ? async () => {
        for (let count = 0; count < BATCH; count++) await ask(next++)
      }
    : () => {
        for (let count = 0; count < BATCH; count++) consume(ask(next++))
      }
  await during(WARM_UP, batch)
  const samples: number[] = []
  for (let sample = 0; sample < SAMPLES; sample++) samples.push(await during(SAMPLE, batch))
  samples.sort((left, right) => left - right)
  return { perSecond: samples[SAMPLES >> 1]!, shares: await sharesOf(ask) }
}

/** Keeps the compiler from dropping a response that nobody looks at. */
let seen = 0
function consume(response: TestResponse): void {
  if (response === true || response === 'first') seen++
}

/** Repeats a batch for so many milliseconds; evaluations a second. */
async function during(milliseconds: number, batch: () => void | Promise<void>): Promise<number> {
  const start = performance.now()
  let evaluations = 0
  let elapsed = 0
  while (elapsed < milliseconds) {
    await batch()
    evaluations += BATCH
    elapsed = performance.now() - start
  }
  return (evaluations * 1000) / elapsed
}

async function sharesOf(ask: (index: number) => TestResponse): Promise<ReadonlyMap<string, number>> {
  const shares = new Map<string, number>()
  for (let index = 0; index < 4 * BATCH; index++) {
    const response = String(await ask(index))
    shares.set(response, (shares.get(response) ?? 0) + 1 / (4 * BATCH))
  }
  return shares
}

/** What the measurement saw, so that it is used. */
export const sightings = (): number => seen
