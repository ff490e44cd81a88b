// Queries of the grammar with hostile constants and wrong types: each is rejected with a reason, or runs. `FUZZ_RUNS=5000 vitest run
// --project shared test/hogql/fuzz` tries more.
import { env } from 'cloudflare:workers'
import * as fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { ApiError } from '../../../src/errors'
import { HogqlError } from '../../../src/hogql/error'
import { createTenant, type Tenant } from '../../support/tenant'
import { compileQuestion, forD1, rowsOnD1 } from '../corpus/ask'
import { OTHER_PROJECT, PROJECT } from '../corpus/dataset'
import { loadIntoD1 } from '../corpus/load-d1'
import { Choices } from './choices'
import { query } from './selects'

let tenant: Tenant
/** A project that holds nothing. */
let empty: Tenant
let other: Tenant
beforeAll(async () => {
  tenant = await createTenant()
  empty = await createTenant()
  await loadIntoD1(tenant.projectId, PROJECT)
  other = await createTenant()
  await loadIntoD1(other.projectId, OTHER_PROJECT)
})

/** What only rows of the other project hold, and what only rows of some project do: no constant of a query is like them. */
const OTHERS = /TELL-TALE|\b666000\b|(b{8}|9{8})-0000-4000/
const ANYBODYS = /TELL-TALE|-0000-4000-8000-|Lovelace|Safari|Firefox|example\.(com|jp)|s-\w+-\d/

const RUNS = Number(env.FUZZ_RUNS || 1000)

const VARIABLES = {
  text: { type: 'String', value: `'); DROP TABLE events; --` },
  number: { type: 'Number', value: 3 },
  list: { type: 'List', value: ['purchase', '"', 'ada'] },
  moment: { type: 'Date', value: '2026-03-08' },
} as const

/** Queries that are a sentence of the grammar, shrinking with the choices that made them. */
const queries = fc
  .array(fc.nat(1_000_000), { minLength: 20, maxLength: 400, size: 'max' })
  .map((numbers) => query(new Choices(numbers)))

type Result = 'rows' | 'refused' | 'stopped'

/** Runs a query of the grammar for both projects. @throws whatever is no result that a caller can do something about */
async function outcomeOf(sql: string, change = (printed: string) => printed): Promise<Result> {
  const question = { sql, variables: VARIABLES, timezone: 'America/New_York' }
  try {
    const compiled = forD1(await compileQuestion(question))
    const changed = { ...compiled, sql: change(compiled.sql) }
    expect(JSON.stringify(await rowsOnD1(changed, question, tenant.projectId))).not.toMatch(OTHERS)
    expect(JSON.stringify(await rowsOnD1(changed, question, empty.projectId))).not.toMatch(ANYBODYS)
    return 'rows'
  } catch (error) {
    if (error instanceof HogqlError && error.message !== '') return 'refused'
    if (error instanceof ApiError && error.status === 400) return 'stopped'
    throw error
  }
}

describe('a query of the grammar', () => {
  it('is rejected with a reason, or gives rows of its own project', async () => {
    const seen: Record<Result, number> = { rows: 0, refused: 0, stopped: 0 }
    await fc.assert(
      fc.asyncProperty(queries, async (sql) => {
        seen[await outcomeOf(sql)] += 1
      }),
      { numRuns: RUNS, ...(env.FUZZ_RUNS ? {} : { interruptAfterTimeLimit: 60_000 }) },
    )
    // A generator whose queries are all rejected would say nothing.
    expect(seen.rows).toBeGreaterThan((seen.refused + seen.stopped) / 5)
  }, 1_800_000)

  it('would be noticed if it gave rows of another project', async () => {
    const unbound = (printed: string) =>
      printed.replaceAll(
        /project_id = (\?\d+)/g,
        `project_id IN ($1, ${tenant.projectId}, ${other.projectId})`,
      )
    const check = fc.check(
      fc.asyncProperty(queries, async (sql) => {
        await outcomeOf(sql, unbound)
      }),
      { numRuns: 300, seed: 1, endOnFailure: true },
    )
    expect(await check).toMatchObject({ failed: true, errorInstance: { name: 'AssertionError' } })
  }, 600_000)
})
