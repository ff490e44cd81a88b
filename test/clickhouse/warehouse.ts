// The engine that serves these tests, as Halyard sees it.
import { inject } from 'vitest'
import { ask, type ClickhouseServer, clickhouseOf } from '../../src/analytics/clickhouse/server'
import { createTables } from '../../src/analytics/clickhouse/tables'

/** The settings of a deployment that uses it. */
export const settings = () => inject('clickhouse')

export const server = (): ClickhouseServer => clickhouseOf(settings())!

/** Makes the tables where they are missing, the way the setup command does. */
export async function makeTables(): Promise<void> {
  const { database } = server()
  await run(`CREATE DATABASE IF NOT EXISTS ${database}`, '')
  for (const statement of createTables()) await run(statement)
}

export const run = (statement: string, database = server().database): Promise<Response> =>
  ask({ ...server(), database }, { search: {}, body: statement, timeoutMs: 10_000 })

/** The rows of a statement of the test's own. */
export async function rowsOf(statement: string): Promise<unknown[][]> {
  const response = await ask(server(), {
    search: { default_format: 'JSONCompact', output_format_json_quote_64bit_integers: 0 },
    body: statement,
    timeoutMs: 10_000,
  })
  return ((await response.json()) as { data: unknown[][] }).data
}

let lastProject = 0

/** A number that no other test of the file uses for a project. */
export const newProject = (): number => Date.now() * 1_000 + (lastProject += 1)
