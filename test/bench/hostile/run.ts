// Measures the latency of an ordinary caller without attacks, and while another organization makes those of test/support/faults/attacks.ts, each by
// itself and then all at once. The production bundle runs in workerd, which has one thread for the Worker, both databases and the objects; on
// Cloudflare each has its own.
import {
  addOrganization,
  type Attack,
  type OrdinaryCall,
  ordinaryCalls,
  prepareAttacks,
} from '../../support/faults/attacks'
import { serveWorker } from '../../support/server/served-worker'

/** The number of calls of each kind. */
const CALLS = { warmUp: 20, none: 200, one: 50, all: 25 }

const served = await serveWorker({ bindings: { THROTTLES: 'off' } })
const { credentials, projectId } = served
const ordinary = await ordinaryCalls(served, { credentials, projectId })
const attacks = await prepareAttacks(served, await addOrganization(served, 'attacker@example.com'))
const outcomes = new Map<string, Map<string, number>>()

interface Row {
  attacks: string
  underWay: number
  latencies: ReadonlyMap<OrdinaryCall['name'], number[]>
  failed: number
}

/** Measures ordinary calls, one after the other, while attacks continue. */
async function measure(title: string, calls: number, under: readonly Attack[]): Promise<Row> {
  const state = { isOver: false }
  const repeat = async ({ name, send }: Attack) => {
    while (!state.isOver) count(name, await send().catch(() => 'connection lost'))
  }
  const attacking = under.flatMap((attack) =>
    Array.from({ length: attack.parallel }, async () => repeat(attack)),
  )
  const latencies = new Map(ordinary.map(({ name }): [typeof name, number[]] => [name, []]))
  let failed = 0
  for (let round = 0; round < calls; round += 1) {
    for (const { name, send } of ordinary) {
      const began = performance.now()
      if ((await send()) !== '200') failed += 1
      latencies.get(name)!.push(performance.now() - began)
    }
  }
  state.isOver = true
  await Promise.all(attacking)
  return { attacks: title, underWay: attacking.length, latencies, failed }
}

function count(name: string, outcome: string): void {
  const own = outcomes.get(name) ?? new Map<string, number>()
  outcomes.set(name, own.set(outcome, (own.get(outcome) ?? 0) + 1))
}

await measure('', CALLS.warmUp, [])
const rows = [await measure('none', CALLS.none, [])]
for (const attack of attacks) rows.push(await measure(attack.name, CALLS.one, [attack]))
rows.push(await measure('all', CALLS.all, attacks))
await served.stop()

const percentile = (values: readonly number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))]!
const figures = (values: readonly number[]) =>
  [0.5, 0.99].map((share) => percentile(values, share).toFixed(0)).join(' / ')

const names = ordinary.map(({ name }) => name)
process.stdout.write('p50 / p99 in ms\n\n')
process.stdout.write(`| attacks | under way | ${names.join(' | ')} | failed |\n`)
process.stdout.write(`|---|---:|${names.map(() => '---:|').join('')}---:|\n`)
for (const { attacks: title, underWay, latencies, failed } of rows) {
  const cells = names.map((name) => figures(latencies.get(name)!))
  process.stdout.write(`| ${title} | ${underWay} | ${cells.join(' | ')} | ${failed} |\n`)
}
process.stdout.write('\n| attack | answers |\n|---|---|\n')
for (const [name, own] of outcomes) {
  const texts = [...own].map(([outcome, times]) => `${times} × ${outcome}`)
  process.stdout.write(`| ${name} | ${texts.join(', ')} |\n`)
}
