// Asking for flags as SDKs do, whom and what they are asked about, and arranging what only raw SQL can.
import { bumpGeneration } from '../../src/storage/flags-generation'
import { event } from '../support/capture'
import { property, where } from '../support/filters'
import type { TestResponse } from '../support/harness'
import { database, type Tenant } from '../support/tenant'

/** Filters that match people whose plan is paid. */
export const PAID = where(property({ key: 'plan', value: 'paid' }))

/** An event that sets properties of a person. */
export const setProperties = (distinctId: string, properties: Record<string, unknown>) =>
  event(distinctId, { $set: properties }, '$set')

/** Asks for the flags of `ada`, or of whomever the body names. */
export const ask = (
  tenant: Pick<Tenant, 'send' | 'projectToken'>,
  body: Record<string, unknown> = {},
  path = '/flags/?v=2',
  headers: Record<string, string> = {},
): Promise<TestResponse> =>
  tenant.send('POST', path, {
    body: { token: tenant.projectToken, distinct_id: 'ada', ...body },
    headers,
  })

/** What a detailed answer says of each flag, in one word: a variant, on, off, or the code with which it failed. */
export const valuesOf = ({ body }: TestResponse): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(
      body.flags as Record<
        string,
        { enabled: boolean; variant: string | null; failed?: true; reason: { code: string } }
      >,
    ).map(([key, { enabled, variant, failed, reason }]) => [
      key,
      failed ? reason.code : (variant ?? enabled),
    ]),
  )

/** Lets what was written behind the back of the API be seen: the generation goes up, and the snapshot in memory grows old. */
export async function publishSilently({ projectId, clock }: Tenant): Promise<void> {
  await bumpGeneration(database(), projectId)
  clock.advance({ seconds: 50 })
}

/** A D1 that works until it is told to break; then everything that is asked of it is rejected, or never answered. */
export function fragile(d1: D1Database): { d1: D1Database; break(how?: 'refuse' | 'stall'): void } {
  let broken = false
  let refuse = (): Promise<never> => Promise.reject(new Error('D1_ERROR: lost'))
  const statement = {
    bind: () => statement,
    all: () => refuse(),
    run: () => refuse(),
    raw: () => refuse(),
    first: () => refuse(),
  }
  const fragileD1 = {
    withSession: () => fragileD1,
    prepare: (query: string) => (broken ? statement : d1.prepare(query)),
    batch: (statements: D1PreparedStatement[]) => (broken ? refuse() : d1.batch(statements)),
  }
  return {
    d1: fragileD1 as unknown as D1Database,
    break(how = 'refuse') {
      broken = true
      if (how === 'stall') refuse = () => new Promise(() => {})
    },
  }
}
