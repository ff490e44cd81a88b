// Runs the service's compiler and engine, and the bare database, inside workerd.
import { createD1Engine } from '../../../src/analytics/engine/d1-engine'
import type { QueryGates } from '../../../src/analytics/query-gate/query-gate-client'
import { readPropertyTypes } from '../../support/property-types'
import { compileParsed, parseHogql } from '../../../src/hogql/compile'
import type { VariableType } from '../../../src/endpoints/query/query-types'
import type { CompiledQuery } from '../../../src/hogql/compiled'
import { propertiesOf } from '../../../src/hogql/resolve/resolve'
import { openDatabase } from '../../../src/storage/database'
import { createMeter } from '../../../src/storage/metered-d1'
import { bindVariables } from '../../../src/endpoints/values/bind-variables'
import { PROJECT } from './data'

interface Databases {
  DB: D1Database
  EVENTS: D1Database
}

/** A request of the bench. */
export type Task =
  | { do: 'compile'; hogql: string; variables?: Readonly<Record<string, VariableType>> }
  /** Runs a compiled query, from the text that a version of an endpoint keeps of it. */
  | { do: 'run'; compiled: string; times: number }
  /** Runs a compiled query with values of variables, without a limit on its cost. `ended` says why it did not end. */
  | { do: 'end'; compiled: string; values: Readonly<Record<string, unknown>>; now: string }
  /** Runs SQL with bound values, as it stands. */
  | { do: 'bare'; sql: string; values: unknown[]; times: number }

export interface Done {
  rows: unknown[][]
  ended?: string
}

/** The deadline of a query whose time is measured although it may be refused. */
const MAX_RUN_MS = 120_000

const TIMEZONE = 'UTC'
const NOW = new Date('2026-06-01T00:00:00Z')

async function compile(
  db: D1Database,
  { hogql, variables = {} }: Extract<Task, { do: 'compile' }>,
): Promise<CompiledQuery> {
  const parsed = parseHogql(hogql)
  const database = openDatabase(db, createMeter())
  const propertyTypes = await readPropertyTypes(database, PROJECT, propertiesOf([parsed.tree], []))
  const { sqlite } = compileParsed(parsed, {
    timezone: TIMEZONE,
    variables,
    propertyTypes,
    findCohort: () => 1,
    findAction: () => [{ event: '$autocapture', selector: 'button' }],
  }).queries
  if ('refusal' in sqlite) throw new Error(sqlite.refusal)
  return sqlite
}

async function repeat(times: number, once: () => Promise<unknown[][]>): Promise<Done> {
  let rows: unknown[][] = []
  for (let count = 0; count < times; count += 1) rows = await once()
  return { rows }
}

/** Queries need no turn, because nothing else runs here. */
const OPEN: QueryGates = { pass: async (_gate, _weight, start) => ({ result: start() }) }

function perform(task: Task, { DB: main, EVENTS: db }: Databases): Promise<CompiledQuery | Done> {
  switch (task.do) {
    case 'compile':
      return compile(main, task)
    case 'run':
      return repeat(task.times, async () => {
        const query = JSON.parse(task.compiled) as CompiledQuery
        const run = { projectId: PROJECT, timezone: TIMEZONE, now: NOW, variables: new Map(), queryId: null }
        const { ceiling, offset } = query.page
        return (
          await createD1Engine({
            db,
            meter: createMeter(),
            gates: OPEN,
            shard: 'EVENTS',
            organizationId: '',
          }).run(query, {
            ...run,
            limit: ceiling ?? 100,
            offset,
          })
        ).rows
      })
    case 'end': {
      const query = { ...(JSON.parse(task.compiled) as CompiledQuery), cost: undefined }
      return createD1Engine({
        db,
        meter: createMeter(),
        gates: OPEN,
        shard: 'EVENTS',
        organizationId: '',
        deadlineMs: MAX_RUN_MS,
      })
        .run(query, {
          projectId: PROJECT,
          timezone: TIMEZONE,
          now: new Date(task.now),
          variables: bindVariables(query, new Map(Object.entries(task.values)), TIMEZONE),
          queryId: null,
          limit: query.page.ceiling ?? 100,
          offset: query.page.offset,
        })
        .then(
          () => ({ rows: [] }),
          (error: unknown) => ({ rows: [], ended: String((error as Error).message) }),
        )
    }
    case 'bare':
      return repeat(task.times, () =>
        db
          .prepare(task.sql)
          .bind(...task.values)
          .raw<unknown[]>(),
      )
  }
}

export default {
  fetch: async (request, env) => Response.json(await perform(await request.json<Task>(), env)),
} satisfies ExportedHandler<Databases>
