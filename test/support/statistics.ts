// What the database knows of its tables.
import { env } from 'cloudflare:workers'

/** As on a deployment's first day: SQLite guesses. The next file's tests are told again. */
export const forgetSizes = (): Promise<unknown> =>
  env.DB.batch([env.DB.prepare('DELETE FROM sqlite_stat1'), env.DB.prepare('ANALYZE sqlite_schema')])
