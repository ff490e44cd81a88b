// Hostile queries on ClickHouse: what is tried against D1 is tried here, and nothing of the other project comes back either.
import { beforeAll, describe, expect, it } from 'vitest'
import { ApiError } from '../../src/errors'
import { HogqlError } from '../../src/hogql/error'
import { TABLES as KNOWN_TABLES } from '../../src/hogql/tables/tables'
import { OTHER_PROJECT, PROJECT, TELL_TALE } from '../hogql/corpus/dataset'
import type { Attempt } from '../hogql/hostile/attempt'
import { BOMBS } from '../hogql/hostile/bombs'
import { FUNCTIONS } from '../hogql/hostile/functions'
import { INJECTION } from '../hogql/hostile/injection'
import { PROJECTS } from '../hogql/hostile/projects'
import { STATEMENTS } from '../hogql/hostile/statements'
import { TABLES } from '../hogql/hostile/tables'
import { compileFor, run } from './support/ask'
import { loadIntoClickhouse } from './support/load-corpus'
import { makeWarehouse, type Warehouse } from './support/warehouse'

const MINE = 21
const THEIRS = 22
const EMPTY = 23

/** What a query may cost here. */
const LIMITS = { deadlineMs: 2_000, memory: 1_000_000_000, read: 1024 ** 4 }

/** Queries that end by the deadline take the whole machine until then. */
const BOMB_LIMITS = { ...LIMITS, deadlineMs: 500 }

let warehouse: Warehouse

beforeAll(async () => {
  warehouse = await makeWarehouse('tenants')
  await loadIntoClickhouse(warehouse.server, MINE, PROJECT)
  await loadIntoClickhouse(warehouse.server, THEIRS, OTHER_PROJECT)
})

/** The rows, or the reason why there are none. Anything else is a fault of ours. */
async function outcomeOf(
  attempt: Attempt,
  projectId: number,
  limits = LIMITS,
): Promise<unknown[][] | string> {
  try {
    const query = await compileFor(attempt)
    return await run(warehouse.server, projectId, query, attempt, limits)
  } catch (error) {
    if (error instanceof HogqlError) return error.message
    if (error instanceof ApiError && error.status === 400) return error.detail
    throw error
  }
}

/** Uuids of the other project's events begin so. */
const THEIR_UUID = '99999999-0000'

function expectNothingOfTheirs(outcome: unknown[][] | string): void {
  const text = JSON.stringify(outcome)
  expect(text).not.toContain(TELL_TALE)
  expect(text).not.toContain(THEIR_UUID)
}

const ATTEMPTS = { PROJECTS, TABLES, FUNCTIONS, INJECTION, STATEMENTS }

describe.each(Object.entries(ATTEMPTS))('%s', (_kind, attempts) => {
  it.each(attempts.map((attempt) => [attempt.name, attempt] as const))('%s', async (_name, attempt) => {
    const outcome = await outcomeOf(attempt, MINE)
    expectNothingOfTheirs(outcome)
    if ('rows' in attempt.outcome) expect(outcome).toEqual(attempt.outcome.rows)
    if ('own' in attempt.outcome) expect(outcome).toHaveLength(attempt.outcome.own)
  })
})

describe('BOMBS', () => {
  // Some of them ClickHouse has the strength for, and Node's parser not. They come to an end, and that soon.
  it.each(BOMBS.map((attempt) => [attempt.name, attempt] as const))('%s', async (_name, attempt) => {
    expectNothingOfTheirs(await outcomeOf(attempt, MINE, BOMB_LIMITS))
  })
})

describe('a project that has nothing', () => {
  it.each(Object.values(KNOWN_TABLES).map(({ name, star }) => [name, star] as const))(
    'reads nothing from %s, by all of its columns',
    async (name, star) => {
      const sql = `SELECT ${star.map((column) => `\`${column}\``).join(', ')} FROM ${name}`
      expect(await outcomeOf({ name, sql, outcome: { rows: [] } }, EMPTY)).toEqual([])
    },
  )
})
