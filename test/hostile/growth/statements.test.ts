// Statements on stored JSON: the main database has one thread for all projects, and reads each document once.
import { readdirSync, readFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { drizzle } from 'drizzle-orm/d1'
import { describe, expect, it } from 'vitest'
import { selectCohortClosure } from '../../../src/flags/cohorts/select-closure'
import { selectCohortGraph } from '../../../src/flags/cohorts/references'
import {
  selectExpectedTexts,
  selectTargets,
  selectUnmetDependencies,
} from '../../../src/flags/read/linked-objects'
import { selectFlagClosure } from '../../../src/snapshots/definitions'
import type { Database } from '../../../src/storage/database'
import { LINEAR, measureGrowth } from './processor-growth'

/** Builds statements and never runs them. */
const writer = drizzle({} as D1Database) as unknown as Database

const MIGRATIONS = 'migrations/main'
const SCHEMA = readdirSync(MIGRATIONS)
  .filter((name) => name.endsWith('.sql'))
  .sort()
  .map((name) => readFileSync(`${MIGRATIONS}/${name}`, 'utf8'))
  .join('\n')

const list = <Item>(count: number, item: (index: number) => Item): Item[] =>
  Array.from({ length: count }, (_, index) => item(index))

/** A main database with these cohorts and flags, by id, and what the flags depend on. */
function databaseOf({
  cohorts = {},
  flags = {},
  dependencies = [],
}: {
  cohorts?: Record<number, unknown>
  flags?: Record<number, unknown>
  dependencies?: readonly (readonly [flag: number, on: number])[]
}): DatabaseSync {
  const db = new DatabaseSync(':memory:')
  db.exec(SCHEMA)
  db.exec('PRAGMA foreign_keys = OFF')
  const at = '2026-03-10T12:00:00.000000Z'
  const addCohort = db.prepare(
    'INSERT INTO cohorts (id, project_id, name, filters, created_at) VALUES (?, 1, ?, ?, ?)',
  )
  for (const [id, filters] of Object.entries(cohorts))
    addCohort.run(Number(id), `c${id}`, JSON.stringify(filters), at)
  const addFlag = db.prepare(
    `INSERT INTO feature_flags (id, project_id, key, filters, search_text, created_at, updated_at) VALUES (?, 1, ?, ?, '', ?, ?)`,
  )
  for (const [id, filters] of Object.entries(flags))
    addFlag.run(Number(id), `f${id}`, JSON.stringify(filters), at, at)
  for (const [flag, on] of dependencies)
    db.prepare('INSERT INTO flag_dependencies (flag_id, depends_on_id) VALUES (?, ?)').run(flag, on)
  return db
}

interface Statement {
  toSQL(): { sql: string; params: unknown[] }
}

function rowsOf(db: DatabaseSync, statement: Statement): Record<string, unknown>[] {
  const { sql, params } = statement.toSQL()
  return db
    .prepare(sql)
    .all(...(params.map((value) => (value === false ? 0 : value === true ? 1 : value)) as never[]))
}

const leaf = (index: number) => ({ key: `p${index}`, type: 'person', operator: 'exact', value: 'x' })
const inCohort = (value: number) => ({ key: 'id', type: 'cohort', operator: 'in', value })
const cohort = (values: readonly object[]) => ({ properties: { type: 'OR', values } })
const flag = (id: number, value: string) => ({
  key: String(id),
  type: 'flag',
  operator: 'flag_evaluates_to',
  value,
})
const conditions = (properties: readonly object[]) => ({ groups: [{ properties, rollout_percentage: 100 }] })

/** A flag on a cohort of many conditions, the last of which is on another; or all are. */
const COHORTS: Record<string, (size: number) => Record<number, unknown>> = {
  'many conditions on persons': (size) => ({
    1: cohort([...list(size, leaf), inCohort(2)]),
    2: cohort([leaf(1)]),
  }),
  'many conditions on cohorts': (size) => ({
    1: cohort(list(size, () => inCohort(2))),
    2: cohort([leaf(1)]),
  }),
}

const CLOSURES: Record<string, () => Statement> = {
  'the cohorts of a write': () => selectCohortClosure(writer, 1, [1]),
  'the cohorts of a flag': () => selectFlagClosure(writer, 1, { flagIds: [], cohortIds: [1] })[1],
  'the cohorts that refer to others': () => selectCohortGraph(writer, 1, [2]),
}

/** Conditions of some 70 bytes: 512 KiB of them are 7,000. */
const SIZE = 1_750

describe.each(Object.entries(CLOSURES))('%s are read in time that grows linearly', (_, statement) => {
  it.each(Object.entries(COHORTS))('with %s', async (__, cohortsOf) => {
    const growth = await measureGrowth((size) => {
      const db = databaseOf({ cohorts: cohortsOf(size) })
      return () => expect(rowsOf(db, statement()).map(({ id }) => id)).toEqual([1, 2])
    }, SIZE)
    expect(growth).toEqual(LINEAR)
  })
})

const DEPENDENCIES: Record<string, () => Statement> = {
  'what a flag depends on': () => selectTargets(writer, 1, [1]),
  'what keeps a flag from being enabled': () => selectUnmetDependencies(writer, 2),
  'what others expect of a flag': () => selectExpectedTexts(writer, 1, 1),
}

describe('many conditions on a flag of many variants', () => {
  it.each(Object.entries(DEPENDENCIES))('%s is read in time that grows linearly', async (_, statement) => {
    const growth = await measureGrowth((size) => {
      const variants = list(size, (index) => ({ key: `v${index}`, rollout_percentage: 0 }))
      const db = databaseOf({
        flags: {
          1: { groups: [], multivariate: { variants } },
          2: conditions(list(size, () => flag(1, `v${size - 1}`))),
        },
        dependencies: [[2, 1]],
      })
      return () => rowsOf(db, statement())
    }, SIZE)
    expect(growth).toEqual(LINEAR)
  })
})

it('what keeps a flag from being enabled is each value that another cannot have, once', () => {
  const db = databaseOf({
    flags: {
      1: {
        groups: [],
        multivariate: { variants: [{ key: 'a' }] },
        holdout: { id: 7, exclusion_percentage: 1 },
      },
      2: conditions([flag(1, 'a'), flag(1, 'holdout-7'), flag(1, 'gone'), flag(1, 'gone'), flag(3, 'a')]),
      3: { groups: [] },
    },
    dependencies: [
      [2, 1],
      [2, 3],
    ],
  })
  expect(rowsOf(db, selectUnmetDependencies(writer, 2)).map((row) => ({ ...row }))).toEqual([
    { kind: 'missing variant', id: 3, name: 'a of f3' },
    { kind: 'missing variant', id: 1, name: 'gone of f1' },
  ])
})
