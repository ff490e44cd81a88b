// A SQLite database that may not grow: the local D1 has no such limit, and SQLite itself does.
import { globSync, readFileSync } from 'node:fs'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { drizzle } from 'drizzle-orm/d1'
import { expect, it } from 'vitest'
import { newSession } from '../../src/auth/sessions'
import { createIds } from '../../src/clock'
import { FILL_RESERVE, isEssential, RELEASE_RESERVE } from '../../src/storage/reserve'

const MAX_PAGES = 2_000

/** A database of the newest migration, as full as it gets. */
function fullDatabase(): DatabaseSync {
  const database = new DatabaseSync(':memory:')
  for (const file of globSync('migrations/main/*.sql').toSorted()) database.exec(readFileSync(file, 'utf8'))
  database.exec(`PRAGMA foreign_keys = off; PRAGMA max_page_count = ${MAX_PAGES}`)
  database.exec(FILL_RESERVE)
  const fill = database.prepare(
    `INSERT INTO activity_log (id, project_id, activity, scope, item_id, detail, created_at)
      VALUES (hex(randomblob(16)), 1, 'updated', 'FeatureFlag', '1', hex(randomblob(?)), '2026-03-10T12:00:00.000000Z')`,
  )
  for (const bytes of [50_000, 1_000, 1]) {
    while (isWritten(() => fill.run(bytes))) continue
  }
  return database
}

function isWritten(write: () => unknown): boolean {
  try {
    write()
    return true
  } catch (error) {
    expect(String(error)).toContain('database or disk is full')
    return false
  }
}

/** Writes a new session, in one transaction with the statements before it. */
function signIn(database: DatabaseSync, before: readonly string[] = []): boolean {
  const client = { userAgent: 'a'.repeat(500), location: 'Berlin', network: '' }
  const { statement } = newSession(
    { db: drizzle({} as D1Database), ids: createIds(), now: new Date() },
    { userId: 1, client },
  )
  const { sql, params } = statement.toSQL()
  expect(isEssential(sql)).toBe(true)
  database.exec('BEGIN')
  const done = isWritten(() => {
    for (const text of before) database.exec(text)
    database.prepare(sql).run(...(params as SQLInputValue[]))
  })
  if (database.isTransaction) database.exec(done ? 'COMMIT' : 'ROLLBACK')
  return done
}

it('a full database takes 64 sessions from its reserve, and no more', () => {
  const database = fullDatabase()
  let plain = 0
  while (signIn(database)) plain += 1
  const withReserve = () => signIn(database, [RELEASE_RESERVE])
  for (let count = 1; count <= 64; count += 1) expect(withReserve(), `session ${count}`).toBe(true)
  let leftOver = 0
  while (withReserve()) leftOver += 1
  // Four pages hold several sessions.
  expect(plain).toBeLessThan(100)
  expect(leftOver).toBeLessThan(64 * 16)
})
