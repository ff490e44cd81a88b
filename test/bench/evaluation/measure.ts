// Counts the evaluations a second of engines in one scenario after another on one core. Engines take turns, so that other work on the machine slows all.

import type { TestResponse, Engine, Scenario } from './engine'

const BATCH = 2_000
const WARM_UP = 400
const SAMPLE = 100
const SAMPLES = 21

export interface Measurement {
  /** The median of the samples. */
  readonly perSecond: number
  /** The share of each result in one batch. Engines with equal flags have equal shares. */
  readonly shares: ReadonlyMap<string, number>
}

/** Measures one scenario: a warm-up, then the median of many short samples, each with new subjects. @returns a measurement for each engine, in their order */
export async function measure(
  engines: readonly Engine[],
  scenario: Scenario,
): Promise<readonly Measurement[]> {
  const runs = engines.map((engine) => ({ ask: engine[scenario].bind(engine), samples: [] as number[] }))
  const batches = runs.map(({ ask }) => batchOf(ask))
  for (const batch of batches) await during(WARM_UP, batch)
  for (let sample = 0; sample < SAMPLES; sample++) {
    for (const [place, batch] of batches.entries()) runs[place]!.samples.push(await during(SAMPLE, batch))
  }
  return Promise.all(
    runs.map(async ({ ask, samples }) => ({
      perSecond: samples.sort((left, right) => left - right)[SAMPLES >> 1]!,
      shares: await sharesOf(ask),
    })),
  )
}

function batchOf(ask: Engine[Scenario]): () => void | Promise<void> {
  let next = 0
  if (ask(0) instanceof Promise) {
    return async () => {
      for (let count = 0; count < BATCH; count++) await ask(next++)
    }
  }
  return () => {
    for (let count = 0; count < BATCH; count++) consume(ask(next++))
  }
}

/** Keeps the compiler from dropping results that are not used. */
let seen = 0
function consume(response: TestResponse): void {
  if (response === true || response === 'first') seen++
}

/** Repeats a batch for so many milliseconds. @returns evaluations a second */
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

/** Stores a result of the measurement, so that it is used. */
export const sightings = (): number => seen
