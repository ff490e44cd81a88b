// Devices for push notifications (docs/reference/accounts.md#push-tokens).
import { and, eq, sql } from 'drizzle-orm'
import * as z from 'zod'
import { pushTokens } from '../../../drizzle'
import type { Deps } from '../../deps'
import type { SchemaDocs } from '../../http/docs/operation-docs'
import { dateTime, text } from '../../http/fields'
import { columnsIn } from '../../storage/columns'
import { toApiTimestamp, toStoredTimestamp } from '../../timestamps'

const MAX_PUSH_TOKENS = 20
const MAX_LENGTH = 512

export const PUSH_PLATFORMS = ['ios', 'android', 'web'] as const
export type PushPlatform = (typeof PUSH_PLATFORMS)[number]

export const pushToken = () => text({ max: MAX_LENGTH })

export const PushRegistration = z
  .object({
    id: z.uuid(),
    platform: z.enum(PUSH_PLATFORMS),
    created_at: dateTime(),
    last_seen_at: dateTime(),
  })
  .meta({ id: 'PushToken' })

export const PushRegistrationDocs = (): SchemaDocs => ({
  description: 'A device for push notifications, unique by user and token.',
  fields: {
    id: 'Id of the registration. Registering the token again keeps it.',
    platform: 'Platform of the device.',
    created_at: 'When the token was first registered. ISO 8601, UTC.',
    last_seen_at: 'When the token was last registered. ISO 8601, UTC.',
  },
  example: {
    id: '019d4837-a6e0-732c-99d2-c67eda13ffe7',
    platform: 'ios',
    created_at: '2026-04-01T08:45:00Z',
    last_seen_at: '2026-04-01T08:45:00Z',
  },
})

/** Registers a device, or updates when it was last seen. Beyond 20 devices, the one that was not seen for the longest time is evicted. */
export async function registerPushToken(
  { db, ids, clock }: Deps,
  userId: number,
  { token, platform }: { token: string; platform: PushPlatform },
): Promise<z.output<typeof PushRegistration>> {
  const now = clock.now()
  const at = toStoredTimestamp(now)
  const [[row]] = await db.batch([
    db
      .insert(pushTokens)
      .values({ id: ids.uuid(now), userId, token, platform, createdAt: at, lastSeenAt: at })
      .onConflictDoUpdate({
        target: [pushTokens.userId, pushTokens.token],
        // Concurrent requests must not move the timestamp back.
        set: { platform, lastSeenAt: sql`max(${pushTokens.lastSeenAt}, excluded.last_seen_at)` },
      })
      .returning(columnsIn(pushTokens, PushRegistration.shape)),
    db.delete(pushTokens).where(
      sql`id IN (SELECT t.id FROM push_tokens t WHERE t.user_id = ${userId}
        ORDER BY t.token = ${token} DESC, t.last_seen_at DESC, t.created_at DESC, t.id DESC
        LIMIT -1 OFFSET ${MAX_PUSH_TOKENS})`,
    ),
  ])
  return {
    ...row!,
    platform: row!.platform as PushPlatform,
    created_at: toApiTimestamp(row!.created_at),
    last_seen_at: toApiTimestamp(row!.last_seen_at),
  }
}

export async function unregisterPushToken({ db }: Deps, userId: number, token: string): Promise<void> {
  await db.delete(pushTokens).where(and(eq(pushTokens.userId, userId), eq(pushTokens.token, token)))
}
