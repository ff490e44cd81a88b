// A database that a backup reads or fills: on this machine, or over Cloudflare's API.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Account } from '../deploy/account'
import { CloudflareError } from '../deploy/cloudflare'
import { CREATE_MIGRATIONS_TABLE, applyMigration } from '../local-databases'
import type { Migration } from '../migrations'

export type Row = Record<string, unknown>

export interface SqlDatabase {
  binding: string
  /** Runs one statement; returns its rows. It may be run twice. */
  query(sql: string, params?: readonly (string | number)[]): Promise<Row[]>
  /** Applies migrations, each in one transaction. */
  migrate(migrations: readonly Migration[]): Promise<void>
}

/** A local database. */
export const localDatabase = (binding: string, database: D1Database): SqlDatabase => ({
  binding,
  async query(sql, params = []) {
    const { results } = await database
      .prepare(sql)
      .bind(...params)
      .all<Row>()
    return results
  },
  async migrate(migrations) {
    await database.prepare(CREATE_MIGRATIONS_TABLE).run()
    for (const migration of migrations) await applyMigration(database, migration)
  },
})

/** Pauses before each retry, in seconds. Cloudflare blocks whoever exceeds 1,200 calls in five minutes for the next five. */
const PAUSES = [1, 2, 4, 8, 16, 32, 64, 128, 128]

/** A database of an account. */
export function remoteDatabase(
  binding: string,
  id: string,
  { id: accountId, cloudflare }: Account,
): SqlDatabase {
  const path = `/accounts/${accountId}/d1/database/${id}/query`
  const post = async (body: object): Promise<Row[]> => {
    const results = await cloudflare.post<{ results?: Row[] }[]>(path, body)
    return results.at(-1)?.results ?? []
  }
  return {
    binding,
    async query(sql, params = []) {
      for (const pause of PAUSES) {
        try {
          return await post({ sql, params })
        } catch (error) {
          if (error instanceof CloudflareError && error.status !== 429 && error.status < 500) throw error
          await sleep(pause * 1_000)
        }
      }
      return post({ sql, params })
    },
    async migrate(migrations) {
      await post({ sql: CREATE_MIGRATIONS_TABLE })
      // As wrangler sends them. Not repeated: whether one that got no answer was applied is seen when the command runs again.
      for (const { file, sql } of migrations) {
        await post({ sql: `${sql}\nINSERT INTO "d1_migrations" (name)\nvalues ('${file}');` })
      }
    },
  }
}
