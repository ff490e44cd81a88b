// Devices that take push notifications: at most 20 a user, the ones seen last (spec "Push token", reference/account-api.md §4).
import { and, eq, sql } from 'drizzle-orm'
import * as z from 'zod'
import { pushTokens } from '../../drizzle'
import type { Deps } from '../deps'
import { dateTime, text } from '../http/fields'
import { shown, stored } from '../timestamps'

const MOST_TOKENS = 20
const MAX_LENGTH = 512

export const PUSH_PLATFORMS = ['ios', 'android', 'web'] as const
export type PushPlatform = (typeof PUSH_PLATFORMS)[number]

/** A device's token as bodies carry it. */
export const pushToken = () => text({ max: MAX_LENGTH })

export const PushRegistration = z
  .object({
    id: z.uuid(),
    platform: z.enum(PUSH_PLATFORMS),
    created_at: dateTime(),
    last_seen_at: dateTime(),
  })
  .meta({ id: 'PushToken' })

/**
 * Registers a device, or refreshes its platform and when it was seen, in one batch. Past 20 devices the one that was seen longest ago
 * goes, without an error.
 */
export async function registerPushToken(
  { db, ids, clock }: Deps,
  userId: number,
  { token, platform }: { token: string; platform: PushPlatform },
): Promise<z.output<typeof PushRegistration>> {
  const now = clock.now()
  const at = stored(now)
  const [[row]] = await db.batch([
    db
      .insert(pushTokens)
      .values({ id: ids.uuid(now), userId, token, platform, createdAt: at, lastSeenAt: at })
      .onConflictDoUpdate({
        target: [pushTokens.userId, pushTokens.token],
        // Requests overtake each other: what was noted never goes back.
        set: { platform, lastSeenAt: sql`max(${pushTokens.lastSeenAt}, excluded.last_seen_at)` },
      })
      .returning(),
    db.delete(pushTokens).where(
      sql`id IN (SELECT t.id FROM push_tokens t WHERE t.user_id = ${userId}
        ORDER BY t.token = ${token} DESC, t.last_seen_at DESC, t.created_at DESC, t.id DESC
        LIMIT -1 OFFSET ${MOST_TOKENS})`,
    ),
  ])
  return {
    id: row!.id,
    platform: row!.platform as PushPlatform,
    created_at: shown(row!.createdAt),
    last_seen_at: shown(row!.lastSeenAt),
  }
}

/** Forgets a device of this user; nothing happens when there is none. */
export async function unregisterPushToken({ db }: Deps, userId: number, token: string): Promise<void> {
  await db.delete(pushTokens).where(and(eq(pushTokens.userId, userId), eq(pushTokens.token, token)))
}
