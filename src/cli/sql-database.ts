import type { Account } from './deploy/account'
import type { Row } from '../storage/backup/schema'
import { CREATE_MIGRATIONS_TABLE, type Migration } from './migrations'
import { isRateLimited, isTemporary, withRetries } from './deploy/cloudflare'

/** A database on this machine, or one of an account. */
export interface SqlDatabase {
  binding: string
  /** Runs one statement, and returns its rows. It may be run twice. */
  query(sql: string, params?: readonly (string | number)[]): Promise<Row[]>
  /** Runs statements as one transaction, and returns the rows of the last one. */
  execute(statements: readonly string[]): Promise<Row[]>
  /** Applies migrations, each in one transaction. */
  migrate(migrations: readonly Migration[]): Promise<void>
}

/** Opens a database of an account. */
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
    query: (sql, params = []) => withRetries(() => post({ sql, params }), isTemporary),
    execute: (statements) => post({ sql: statements.join(';\n') }),
    async migrate(migrations) {
      await withRetries(() => post({ sql: CREATE_MIGRATIONS_TABLE }), isTemporary)
      // Migrations are sent as wrangler does. When one gets no response, the next run of the command finds out whether it was applied.
      for (const { file, sql } of migrations) {
        const recorded = `${sql}\nINSERT INTO "d1_migrations" (name)\nvalues ('${file}');`
        await withRetries(() => post({ sql: recorded }), isRateLimited)
      }
    },
  }
}
