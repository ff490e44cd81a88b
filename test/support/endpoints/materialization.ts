// A tenant whose builds run when a test starts them: messages to the queue wait until the real consumer handles them.
import { createMessageBatch, createExecutionContext, getQueueResult } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { eq } from 'drizzle-orm'
import { endpointMaterializations } from '../../../drizzle'
import { consumeBuilds } from '../../../src/endpoints/materialization/build/consume-builds'
import type { BuildMessage } from '../../../src/endpoints/materialization/build/build-queue'
import type { BuildWork } from '../../../src/long-work'
import { type MaterializationQuota, QUOTA } from '../../../src/endpoints/materialization/build/quota'
import { dropUnusedTables } from '../../../src/endpoints/materialization/unused-tables'
import { createHarness } from '../harness'
import { createTenant, database, type Tenant } from '../tenant'

export interface MaterializingTenant extends Tenant {
  /** The messages that wait in the queue. */
  waiting: BuildMessage[]
  /** The environment that has the queue. */
  env: Env
  /**
   * Lets the consumer handle the waiting messages, or `messages`. Returns what it did with each. Messages that it did not finish wait
   * again.
   */
  consume(options?: {
    messages?: BuildMessage[]
    attempts?: number
    /** The most rows that one statement writes. */
    chunk?: number
    quota?: Partial<MaterializationQuota>
    /** How often a build renews its lease. */
    renewMs?: number
    env?: Partial<Env>
  }): Promise<{ retried: number; acked: number }>
  /** What the minute's triggers do to tables that no version uses any more. */
  dropTables(): Promise<void>
  /** The errors that consumers logged. */
  faults: string[]
}

/** Returns a tenant with its own queue. */
export async function createMaterializingTenant(bindings: Partial<Env> = {}): Promise<MaterializingTenant> {
  const waiting: BuildMessage[] = []
  const faults: string[] = []
  const BUILDS = {
    // The fill of a cohort waits for the trigger.
    async send() {},
    async sendBatch(messages: Iterable<MessageSendRequest<BuildWork>>) {
      // Messages travel as JSON.
      for (const { kind, ...message } of [...messages].map(
        ({ body }) => JSON.parse(JSON.stringify(body)) as BuildWork,
      ))
        if (kind === 'build') waiting.push(message)
    },
  } as unknown as Queue
  const tenant = await createTenant({ harness: createHarness({ bindings: { BUILDS, ...bindings } }) })
  const own: Env = { ...env, ...bindings, BUILDS }
  return {
    ...tenant,
    waiting,
    env: own,
    faults,
    dropTables: () => dropUnusedTables(database(), env.EVENTS, Infinity),
    async consume({
      messages = waiting.splice(0),
      attempts = 1,
      env: others = {},
      quota = {},
      ...limits
    } = {}) {
      const batch = createMessageBatch<BuildMessage>(
        'halyard-builds',
        messages.map((body) => ({ id: crypto.randomUUID(), timestamp: tenant.clock.now(), attempts, body })),
      )
      const log = ({ message, ...line }: { message: string }) => {
        faults.push(`${message}: ${'error' in line ? String(line.error) : ''}`)
      }
      await consumeBuilds(
        batch,
        { ...own, ...others },
        {
          clock: tenant.clock,
          log,
          quota: { ...QUOTA, ...quota },
          ...limits,
        },
      )
      const { retryMessages, explicitAcks } = await getQueueResult(batch, createExecutionContext())
      return { retried: retryMessages.length, acked: explicitAcks.length }
    },
  }
}

/** A shard that passes every batch to a function before it runs: the texts of its statements, and how to run them. */
export function interceptedShard(
  onBatch: (texts: string[], run: () => Promise<D1Result[]>) => Promise<D1Result[]>,
): D1Database {
  const texts = new WeakMap<D1PreparedStatement, string>()
  const noted = (statement: D1PreparedStatement, text: string): D1PreparedStatement => {
    const bind = statement.bind.bind(statement)
    texts.set(statement, text)
    return Object.assign(statement, { bind: (...values: unknown[]) => noted(bind(...values), text) })
  }
  return {
    prepare: (text: string) => noted(env.EVENTS.prepare(text), text),
    batch: (statements: D1PreparedStatement[]) =>
      onBatch(
        statements.map((statement) => texts.get(statement) ?? ''),
        () => env.EVENTS.batch(statements),
      ),
  } as unknown as D1Database
}

/** Returns the materialization of a version as it is stored. */
export async function materializationRow(versionId: string) {
  const [row] = await database()
    .select()
    .from(endpointMaterializations)
    .where(eq(endpointMaterializations.versionId, versionId))
  return row
}

/** Returns the names of the tables and indexes of materializations, with the number of rows of each table. */
export async function materializedTables(id?: string): Promise<Record<string, number>> {
  const pattern = id ? `mat_${id.replaceAll('-', '')}_` : 'mat_'
  const { results } = await env.EVENTS.prepare(
    `SELECT name, type FROM sqlite_master WHERE substr(name, 1, length(?1)) = ?1 ORDER BY name`,
  )
    .bind(pattern)
    .all<{ name: string; type: string }>()
  const counts: Record<string, number> = {}
  for (const { name, type } of results) {
    if (type !== 'table') continue
    counts[name] = (await env.EVENTS.prepare(`SELECT count(*) AS n FROM "${name}"`).first<number>('n')) ?? 0
  }
  return counts
}
