// An authenticator app for tests.
import { env } from 'cloudflare:workers'
import { generateHOTP } from '@oslojs/otp'
import { eq } from 'drizzle-orm'
import { sessions, totpDevices } from '../../drizzle'
import { newSecret, openSecret, sealSecret, stepAt } from '../../src/account/two-factor/codes'
import { toStoredTimestamp } from '../../src/timestamps'
import type { Browser } from './session'
import { database, type Tenant } from './tenant'

/** Returns the code that an app with this secret shows, `steps` of 30 seconds from now. */
export const codeOf = (secret: Uint8Array, now: Date, steps = 0): string =>
  generateHOTP(secret, BigInt(stepAt(now) + steps), 6)

/** Returns the secret that a browser's session has pending. */
export async function pendingSecretOf({ sessionId }: Pick<Browser, 'sessionId'>): Promise<Uint8Array> {
  const [row] = await database().select().from(sessions).where(eq(sessions.id, sessionId))
  return openSecret(env, row!.pendingTotpSecret!)
}

/** Gives a tenant's user a second factor, without its set-up. Returns the secret. */
export async function giveSecondFactor({ user, clock }: Pick<Tenant, 'user' | 'clock'>): Promise<Uint8Array> {
  const secret = newSecret()
  await database()
    .insert(totpDevices)
    .values({
      userId: user.id,
      secret: await sealSecret(env, secret, 'secondFactor'),
      lastStep: 0,
      createdAt: toStoredTimestamp(clock.now()),
    })
  return secret
}
