import type { SqlDatabase } from '../../../src/cli/sql-database'

/** A database of a served Worker, as commands query it. */
export const commandDatabase = (binding: string, database: D1Database): SqlDatabase => ({
  binding,
  query: async (sql, params = []) =>
    (
      await database
        .prepare(sql)
        .bind(...params)
        .all<Record<string, string | number | null>>()
    ).results,
  execute: () => Promise.reject(new Error('not used')),
  migrate: () => Promise.reject(new Error('not used')),
})
