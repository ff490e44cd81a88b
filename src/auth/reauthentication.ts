// Re-authentication for sensitive operations (docs/reference/accounts.md#recent-sign-in).
import { permissionDenied } from '../errors'
import { toStoredTimestamp } from '../timestamps'
import type { Actor, SessionActor } from './actor'

const WINDOW_MS = 7_200_000

/** Whether an operation requires a recent sign-in: always, or unless the body has only these fields. An empty body requires one. */
export type RecentAuth = true | { exceptFields: readonly string[] }

export const recentAuthExpiresAt = ({ authenticatedAt }: Pick<SessionActor, 'authenticatedAt'>): string =>
  toStoredTimestamp(new Date(Date.parse(authenticatedAt) + WINDOW_MS))

/**
 * @param body returns the parsed body; it is called only if the rule depends on it
 * @throws 403 `sensitive_action_required_reauth` for a session that signed in too long ago
 */
export async function requireRecentAuth(
  actor: SessionActor,
  requirement: RecentAuth,
  now: Date,
  body: () => Promise<unknown>,
): Promise<void> {
  if (isRecent(actor, now)) return
  if (requirement !== true && isExcused(await body(), requirement.exceptFields)) return
  throw reauthenticationRequired()
}

/**
 * Requires a recent session in an operation that accepts keys in other cases.
 * @param keyErrorDetail detail of the 403 for a key
 * @throws 403 for a key; 403 `sensitive_action_required_reauth` for a session that signed in too long ago
 */
export function requireRecentSession(actor: Actor, now: Date, keyErrorDetail: string): void {
  if (actor.kind !== 'session') throw permissionDenied(keyErrorDetail)
  if (!isRecent(actor, now)) throw reauthenticationRequired()
}

const isRecent = (actor: SessionActor, now: Date): boolean =>
  recentAuthExpiresAt(actor) > toStoredTimestamp(now)

const reauthenticationRequired = () =>
  permissionDenied(
    'This action requires you to be recently authenticated.',
    'sensitive_action_required_reauth',
  )

function isExcused(body: unknown, fields: readonly string[]): boolean {
  if (body === null || typeof body !== 'object') return false
  const keys = Object.keys(body)
  return keys.length > 0 && keys.every((key) => fields.includes(key))
}
