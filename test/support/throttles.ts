// Calls that count towards a limit.
import { eq } from 'drizzle-orm'
import { personalApiKeys, throttleWindows } from '../../drizzle'
import { maskOf } from '../../src/auth/api-keys'
import type { Throttle } from '../../src/http/limits/throttle'
import { database, type Tenant } from './tenant'

/** Stores calls of a tenant's key within the last half hour, in other isolates, so that `left` calls are left. */
export async function countedElsewhere(
  tenant: Tenant,
  { name, calls }: Pick<Throttle, 'name' | 'calls'>,
  left: number,
): Promise<void> {
  const [row] = await database()
    .select({ id: personalApiKeys.id })
    .from(personalApiKeys)
    .where(eq(personalApiKeys.maskValue, maskOf(tenant.key)))
  await database()
    .insert(throttleWindows)
    .values({ name, subject: row!.id, startedAt: '2026-03-10T11:30:00.000000Z', count: calls - left })
}

/** The error of a call past a limit. */
export const throttledFor = (seconds: number) => ({
  status: 429,
  body: {
    type: 'throttled_error',
    code: 'throttled',
    detail: `Request was throttled. Expected available in ${seconds} seconds.`,
    attr: null,
  },
})
