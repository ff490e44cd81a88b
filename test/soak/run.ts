// `npm run soak`: a mixed load on the local server, with kills of the runtime and failing bindings, and an audit of every acknowledged write.
// SOAK_MINUTES (default 10) is how long the load lasts, SOAK_SEED repeats the choices of a run. Ends with a table, and with 1 when a write is
// missing, something is half-written, an error is not a documented one, the runtime ends by itself, or memory grows.
import { setTimeout as sleep } from 'node:timers/promises'
import { createAccountWriter } from './accounts'
import { auditAll, auditWrites, settle, type Workers } from './audit'
import { createClient, createDisruptions } from './client'
import { createEventSender } from './events'
import { type Binding, BINDINGS, FAULTS } from './faults'
import { createFlagWriter } from './flags'
import { createQueryWriter } from './queries'
import { createRandom } from './random'
import { createReader } from './readers'
import { startSoakServer } from './server'

const TENANTS = 3
/** The supervisor gives up after five restarts within ten minutes. */
const MAX_KILLS = 4
/** From when on memory is compared: caches are warm. */
const WARM_UP_MS = 60_000
/** The second half of a load that is shorter is too short to compare memory. */
const MIN_MINUTES_OF_MEMORY = 5
/** MiB that the runtime may grow by after its warm-up, until the load ends. */
const MAX_GROWTH = 256
const AUDIT_EVERY_MS = 60_000
const MAX_LOG_LINES = 60

const minutes = Number(process.env.SOAK_MINUTES ?? 10)
const seed = Number(process.env.SOAK_SEED ?? Math.floor(Math.random() * 2 ** 31))
if (!(minutes >= 1) || !Number.isInteger(seed)) {
  process.stderr.write('SOAK_MINUTES must be a number of at least 1, SOAK_SEED a whole number.\n')
  process.exit(2)
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1))

const say = (text: string) => process.stdout.write(`${text}\n`)
const random = createRandom(seed)
const started = Date.now()
const since = () => `${((Date.now() - started) / 1000).toFixed(0).padStart(4)} s`
say(`Soak of ${minutes} minutes, SOAK_SEED=${seed}`)

const disruptions = createDisruptions()
/** When the runtime was killed, or ended by itself. */
const ends: number[] = []
const unasked: string[] = []
let isKilling = false
/** Of one life of the runtime. */
const memory = { warm: [] as number[], end: [] as number[] }
const server = await startSoakServer(TENANTS, (reason) => {
  ends.push(Date.now())
  memory.warm.length = 0
  memory.end.length = 0
  if (!isKilling) {
    unasked.push(`${since()}  the runtime ended by itself: ${reason}`)
    say(unasked.at(-1)!)
  }
  return disruptions.begin()
})
const client = createClient(server, disruptions)
const memoryAtStart = server.memory()
let kills = 0
let faults = 0
let audits = 0

const begun = Date.now()
const end = begun + minutes * 60_000
/** Kills in the first half; in the second, one runtime lives to its end, so that its memory can be compared. */
const half = begun + minutes * 30_000

const loops: (() => Promise<void>)[] = []
const workers: Workers[] = []
const own = () => createRandom(random.between(0, 2 ** 31))
for (const tenant of server.tenants) {
  const flags = ['a', 'b'].map((name) => createFlagWriter(client, tenant, name, own()))
  const events = createEventSender(client, tenant, own())
  const queries = createQueryWriter(client, tenant, own())
  const accounts = createAccountWriter(client, tenant, own(), () => events.people.size)
  const reader = await createReader(client, tenant, own())
  workers.push({ projectId: tenant.project_id, userUuid: tenant.user_uuid, flags, events, queries, accounts })
  for (const { step } of [...flags, events, queries, accounts]) loops.push(step)
  loops.push(reader, reader)
}

/** No loop starts a step while an audit waits for all of them to finish theirs. */
const pause = { isOn: false, busy: 0 }

async function load(step: () => Promise<void>, pauses: ReturnType<typeof createRandom>): Promise<void> {
  while (Date.now() < end) {
    await sleep(pauses.between(0, 200))
    if (pause.isOn) continue
    pause.busy += 1
    try {
      await step()
    } catch (error) {
      client.violate(`the soak itself failed: ${(error as Error).stack?.slice(0, 400)}`)
    } finally {
      pause.busy -= 1
    }
  }
}

async function disrupt(): Promise<void> {
  const times = Array.from({ length: Math.min(MAX_KILLS, Math.max(1, Math.floor(minutes / 2))) }, () =>
    random.between(begun + 20_000, half),
  ).sort((a, b) => a - b)
  while (Date.now() < end - 20_000) {
    await sleep(random.between(2_000, 8_000))
    if (pause.isOn) continue
    const isKill = times[0] !== undefined && Date.now() > times[0]
    const finish = disruptions.begin()
    try {
      if (isKill) {
        times.shift()
        kills += 1
        const killed = Date.now()
        ends.push(killed)
        isKilling = true
        await server.crash().finally(() => (isKilling = false))
        say(
          `${since()}  killed the runtime; it served again after ${((Date.now() - killed) / 1000).toFixed(1)} s`,
        )
      } else {
        // A message that waits for a retry when the runtime is killed is lost with it: see audit.ts.
        const withQueues = times.length === 0
        const able: Binding[] = BINDINGS.filter(
          (each) => withQueues || !['EVENTS', 'INGESTION'].includes(each),
        )
        const durationMs = random.between(1_000, 6_000)
        await server.setFault({
          binding: random.pick(able),
          kind: random.pick(FAULTS),
          share: random.pick([0.1, 0.5, 1]),
          durationMs,
        })
        faults += 1
        await sleep(durationMs)
        await server.setFault(null)
      }
    } catch (error) {
      client.violate(`the soak could not disrupt the server: ${(error as Error).message}`)
    } finally {
      finish()
    }
  }
}

async function sampleMemory(): Promise<void> {
  while (Date.now() < end) {
    await sleep(2_000)
    const life = Date.now() - Math.max(half, ends.at(-1) ?? begun)
    const resident = server.memory()
    // None while it restarts.
    if (resident === 0) continue
    if (life > WARM_UP_MS && life < WARM_UP_MS * 1.5) memory.warm.push(resident)
    if (Date.now() > end - WARM_UP_MS / 2) memory.end.push(resident)
  }
}

async function audit(): Promise<void> {
  let auditDue = Date.now() + AUDIT_EVERY_MS
  while (Date.now() < end) {
    await sleep(2_000)
    if (Date.now() < auditDue || Date.now() > end - 30_000) continue
    auditDue = Date.now() + AUDIT_EVERY_MS
    pause.isOn = true
    while (pause.busy > 0) await sleep(50)
    await disruptions.over()
    await auditWrites(server, client, workers)
    audits += 1
    say(
      `${since()}  audit ${audits}: ${client.tally.requests} requests, ${client.tally.acknowledged} acknowledged writes, ` +
        `${client.tally.violations.length} violations, ${server.memory()} MiB`,
    )
    pause.isOn = false
  }
}

await Promise.all([...loops.map((step) => load(step, own())), disrupt(), audit(), sampleMemory()])
await disruptions.over()
await settle(server, client)
await sleep(15_000)
const excused = await auditAll(server, client, workers, ends)

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]
const [warm, last] = [median(memory.warm), median(memory.end)]
if (minutes >= MIN_MINUTES_OF_MEMORY) {
  if (warm === undefined || last === undefined) {
    client.violate('no life of the runtime was long enough to compare its memory')
  } else if (last - warm > MAX_GROWTH) {
    client.violate(
      `the runtime grew by ${last - warm} MiB after its warm-up, at most ${MAX_GROWTH} are allowed`,
    )
  }
}
for (const each of unasked) client.violate(each)
const { tally } = client
const total = (count: (each: Workers) => number) => workers.reduce((sum, each) => sum + count(each), 0)
const rows: [string, string | number][] = [
  ['minutes of load', minutes],
  ['requests', tally.requests],
  ['acknowledged writes', tally.acknowledged],
  ['kills of the runtime', kills],
  ['restarts after other ends of the server', unasked.length],
  ['faults of bindings', faults],
  ['503 and lost connections meanwhile', tally.disrupted],
  ['flags audited', total(({ flags }) => flags.reduce((sum, writer) => sum + writer.flags.size, 0))],
  ['events audited', total(({ events }) => events.acknowledged.size)],
  ['events lost with the memory of a local queue', excused],
  ['static cohorts audited', total(({ accounts }) => accounts.cohorts.size)],
  ['audits', audits + 1],
  ['memory at the start, MiB', memoryAtStart],
  ['memory after the warm-up, MiB', warm ?? 'none'],
  ['memory at the end, MiB', last ?? 'none'],
  ['violations', tally.violations.length],
]
await server.stop()
say('')
for (const [name, value] of rows) say(`${name.padEnd(46)}${String(value).padStart(10)}`)
for (const violation of tally.violations) say(`\n${violation}`)
if (tally.violations.length > 0)
  say(`\nThe last lines of the server:\n${server.log.slice(-MAX_LOG_LINES).join('\n')}`)
process.exit(tally.violations.length > 0 ? 1 : 0)
