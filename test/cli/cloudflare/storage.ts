// The part of Cloudflare's API about D1, KV and queues. Databases are SQLite.
import { DatabaseSync } from 'node:sqlite'
import { type Account, json, newId, Page, Refused, type Route } from './account'

export function storageRoutes(account: Account): Route[] {
  const { databases, namespaces, queues, changes } = account

  function databaseOf(nameOrId: string) {
    const found = [...databases].find(([id, { name }]) => id === nameOrId || name === nameOrId)
    if (!found) throw new Refused(404, 7404, 'The database is not there')
    return { uuid: found[0], ...found[1] }
  }

  return [
    [
      'GET',
      /^\/d1\/database$/,
      ({ search }) =>
        new Page(
          [...databases]
            .map(([uuid, { name }]) => ({ uuid, name }))
            .filter(({ name }) => name.includes(search.get('name') ?? '')),
        ),
    ],
    [
      'POST',
      /^\/d1\/database$/,
      (call) => {
        const { name } = json<{ name: string }>(call)
        if ([...databases.values()].some((one) => one.name === name)) throw new Refused(400, 7502, 'taken')
        const uuid = newId('d1')
        databases.set(uuid, { name, sql: new DatabaseSync(':memory:') })
        changes.push(`create database ${name}`)
        return { uuid, name }
      },
    ],
    [
      'GET',
      /^\/d1\/database\/([^/]+)$/,
      ({ parts: [one] }) => {
        const { uuid, name } = databaseOf(one!)
        return { uuid, name }
      },
    ],
    [
      'GET',
      /^\/d1\/database\/([^/]+)\/time_travel\/bookmark$/,
      ({ parts: [one] }) => ({ bookmark: `bookmark-of-${databaseOf(one!).name}` }),
    ],
    [
      'POST',
      /^\/d1\/database\/([^/]+)\/query$/,
      (call) => {
        const { name, sql: database } = databaseOf(call.parts[0]!)
        const { sql, params = [] } = json<{ sql: string; params?: unknown[] }>(call)
        const migration = sql.match(/INSERT INTO "d1_migrations" \(name\)\s*values \('(.+)'\)/i)
        if (migration) changes.push(`migrate ${name}: ${migration[1]}`)
        else if (!/^\s*(SELECT|WITH|CREATE TABLE IF NOT EXISTS "d1_migrations")/.test(sql))
          changes.push(`write to ${name}`)
        return [{ results: runSql(database, sql, params), success: true, meta: {} }]
      },
    ],
    [
      'GET',
      /^\/storage\/kv\/namespaces$/,
      () => new Page([...namespaces].map(([id, title]) => ({ id, title }))),
    ],
    [
      'POST',
      /^\/storage\/kv\/namespaces$/,
      (call) => {
        const { title } = json<{ title: string }>(call)
        if ([...namespaces.values()].includes(title)) throw new Refused(400, 10_014, 'taken')
        const id = newId('kv')
        namespaces.set(id, title)
        changes.push(`create namespace ${title}`)
        return { id, title }
      },
    ],
    [
      'GET',
      /^\/queues$/,
      ({ search }) =>
        new Page(
          [...queues]
            .filter(([, { name }]) => !search.has('name') || search.getAll('name').includes(name))
            .map(([queue_id, { name, consumers }]) => ({
              queue_id,
              queue_name: name,
              consumers,
              consumers_total_count: consumers.length,
              producers: [],
              producers_total_count: 0,
            })),
        ),
    ],
    [
      'POST',
      /^\/queues$/,
      (call) => {
        const { queue_name: name } = json<{ queue_name: string }>(call)
        if ([...queues.values()].some((one) => one.name === name)) throw new Refused(409, 11_009, 'taken')
        const queue_id = newId('queue')
        queues.set(queue_id, { name, consumers: [] })
        changes.push(`create queue ${name}`)
        return { queue_id, queue_name: name }
      },
    ],
    ['GET', /^\/queues\/([^/]+)\/consumers$/, ({ parts: [one] }) => new Page(queues.get(one!)!.consumers)],
    [
      'POST',
      /^\/queues\/([^/]+)\/consumers$/,
      (call) => {
        const { name, consumers } = queues.get(call.parts[0]!)!
        const { script_name: script, ...rest } = json<{ script_name: string }>(call)
        const consumer = { consumer_id: newId('consumer'), script, ...rest }
        consumers.push(consumer)
        changes.push(`consume ${name}`)
        return consumer
      },
    ],
    ['PUT', /^\/queues\/[^/]+\/consumers\/[^/]+$/, (call) => json(call)],
  ]
}

// https://developers.cloudflare.com/d1/platform/limits/
const MAX_STATEMENT_BYTES = 100_000
const MAX_PARAMETERS = 100
const MAX_VALUE_BYTES = 2_000_000
const MAX_COLUMNS = 100
/** Not documented: what commands here are to stay below. */
const MAX_RESPONSE_BYTES = 5_000_000

/** One transaction within D1's limits; the rows of the last statement. */
function runSql(database: DatabaseSync, sql: string, params: readonly unknown[]): unknown[] {
  const statements = statementsOf(sql)
  requireLimit('parameters', params.length, MAX_PARAMETERS)
  if (params.length > 0 && statements.length > 1) throw new Refused(400, 7500, 'parameters of one statement')
  database.exec('BEGIN')
  try {
    let results: unknown[] = []
    for (const statement of statements) {
      requireLimit('bytes of a statement', Buffer.byteLength(statement), MAX_STATEMENT_BYTES)
      for (const value of params) requireValue(value)
      const prepared = database.prepare(statement)
      prepared.setReadBigInts(true)
      results = prepared.all(...(params as string[])).map(toJson)
    }
    requireLimit('bytes of a response', JSON.stringify(results).length, MAX_RESPONSE_BYTES)
    database.exec('COMMIT')
    return results
  } catch (error) {
    database.exec('ROLLBACK')
    throw error instanceof Refused ? error : new Refused(400, 7500, (error as Error).message)
  }
}

function requireLimit(what: string, count: number, limit: number): void {
  if (count > limit) throw new Refused(400, 7500, `too many ${what}: ${count}`)
}

function requireValue(value: unknown): void {
  if (typeof value === 'string') requireLimit('bytes of a value', Buffer.byteLength(value), MAX_VALUE_BYTES)
  else if (typeof value !== 'number') throw new Refused(400, 7400, `cannot bind ${JSON.stringify(value)}`)
}

/** A row as the API gives it: numbers are JavaScript's, bytes are lists of numbers. */
function toJson(row: Record<string, unknown>): Record<string, unknown> {
  requireLimit('columns', Object.keys(row).length, MAX_COLUMNS)
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => {
      if (typeof value === 'bigint') return [name, Number(value)]
      if (value instanceof Uint8Array) return [name, [...value]]
      if (typeof value === 'string') requireValue(value)
      return [name, value]
    }),
  )
}

/**
 * Takes SQL apart as D1's API does, which knows less than SQLite: the body of a trigger begins with `BEGIN` in capitals, between spaces or line
 * feeds, and ends with the first `END` behind it (cloudflare/workers-sdk #10998, #14991, #15314). Anything else is cut in the middle.
 */
function statementsOf(sql: string): string[] {
  const parts = sql.match(/'(?:[^']|'')*'|"[^"]*"|`[^`]*`|--[^\n]*|;|[^'"`;-]+|-/g) ?? []
  const statements: string[] = []
  let statement = ''
  for (const part of parts) {
    if (part !== ';') statement += part.startsWith('--') ? '' : part
    else if (/[ \n]BEGIN[ \n]/.test(statement) && !/[ \n]END$/.test(statement)) statement += ';'
    else {
      statements.push(statement)
      statement = ''
    }
  }
  return [...statements, statement].filter((one) => one.trim() !== '')
}
