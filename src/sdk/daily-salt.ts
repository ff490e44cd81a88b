// The salt from which the ids of visitors without a stored identity are computed. It is deleted when its day has passed.
import { randomBytes } from 'node:crypto'
import { visitorSalts } from '../../drizzle'
import type { Clock } from '../clock'
import type { Database } from '../storage/database'

/** Returns the salt of the day. */
export type DailySalt = (services: { db: Database; clock: Clock }) => Promise<string>

/** Creates the reader of an isolate, which caches the salt. */
export function createDailySalt(): DailySalt {
  let known: { day: string; salt: string } | null = null
  return async ({ db, clock }) => {
    const day = clock.now().toISOString().slice(0, 'yyyy-mm-dd'.length)
    if (known?.day === day) return known.salt
    // The first isolate of the day inserts the salt. A conflict changes nothing, and returns the existing row.
    const [row] = await db
      .insert(visitorSalts)
      .values({ day, salt: randomBytes(32).toString('hex') })
      .onConflictDoUpdate({ target: visitorSalts.day, set: { day } })
      .returning({ salt: visitorSalts.salt })
    known = { day, salt: row!.salt }
    return known.salt
  }
}
