// Impersonation of users by staff (docs/reference/accounts.md#impersonation).
import { ApiError } from '../errors'
import { toStoredTimestamp } from '../timestamps'
import type { Impersonation } from './actor'
import type { RecentAuth } from './reauthentication'

const TOTAL_MS = 2 * 3_600_000
const IDLE_MS = 30 * 60_000

/** Writes below these paths concern one user alone, and are closed to impersonating staff by default. */
const PERSONAL = ['/api/users/', '/api/personal_api_keys/']

/**
 * What staff can do while impersonating: call an operation, not call it, or call it with a body of exactly these fields. Operations and
 * pages declare the rule, because a path can be spelled in several ways.
 */
export type ImpersonationRule = 'open' | 'closed' | { onlyFields: readonly string[] }

/**
 * Returns the declared rule of an operation, or its default: writes to the user's own data, and writes that require a recent sign-in, are
 * closed.
 */
export const impersonationRuleOf = (operation: {
  method: string
  path: string
  recentAuth?: RecentAuth
  impersonation?: ImpersonationRule
}): ImpersonationRule =>
  operation.impersonation ??
  (operation.method !== 'get' &&
  (operation.recentAuth === true || PERSONAL.some((place) => operation.path.startsWith(place)))
    ? 'closed'
    : 'open')

export interface ImpersonationRow {
  ownerId: number
  impersonatedUserId: number | null
  reason: string | null
  readOnly: boolean | null
  startedAt: string | null
  impersonationActivity: string | null
}

const plusMs = (timestamp: string, ms: number) => toStoredTimestamp(new Date(Date.parse(timestamp) + ms))

/** Returns `expired` after two hours, or half an hour without a request, and null without an impersonation. */
export function impersonationFrom(row: ImpersonationRow, now: Date): Impersonation | 'expired' | null {
  const { ownerId, impersonatedUserId, reason, readOnly, startedAt, impersonationActivity } = row
  if (impersonatedUserId === null || startedAt === null) return null
  const total = plusMs(startedAt, TOTAL_MS)
  const idle = plusMs(impersonationActivity ?? startedAt, IDLE_MS)
  if ((idle < total ? idle : total) <= toStoredTimestamp(now)) return 'expired'
  // This request counts as activity.
  const next = plusMs(toStoredTimestamp(now), IDLE_MS)
  return {
    staffId: ownerId,
    reason: reason ?? '',
    readOnly: readOnly ?? false,
    until: next < total ? next : total,
  }
}

const blocked = (code: string, detail: string) =>
  new ApiError({ status: 403, type: 'authentication_error', code, detail })

/** The error for what staff cannot do while impersonating. */
export const impersonationBlocked = (detail = 'This action is not allowed during impersonation.') =>
  blocked('impersonation_path_blocked', detail)

export const IMPERSONATION_EXPIRED = 'impersonation_expired'

/** The 401 error in plain text. Our own pages use its code. */
export const impersonationExpired = () =>
  new ApiError({
    status: 401,
    type: 'authentication_error',
    code: IMPERSONATION_EXPIRED,
    detail: 'Impersonation session has expired. Please log in again.',
    shape: 'text',
  })

export interface Attempt {
  rule: ImpersonationRule
  /** Whether the operation only reads, whatever its method. */
  reads: boolean
  /** Returns the parsed body. It is called only if the rule depends on the body. */
  body(): Promise<unknown>
}

/**
 * @throws 403 `impersonation_path_blocked` for a closed operation, 403 `impersonation_read_only` for any write in a read-only
 *   impersonation.
 */
export async function requireImpersonationRule(
  impersonation: Impersonation,
  { rule, reads, body }: Attempt,
): Promise<void> {
  if (rule === 'closed' || (rule !== 'open' && !hasOnly(rule.onlyFields, await body()))) {
    throw impersonationBlocked()
  }
  if (impersonation.readOnly && !reads) {
    throw blocked(
      'impersonation_read_only',
      'This action is not allowed during read-only user impersonation.',
    )
  }
}

const hasOnly = (fields: readonly string[], body: unknown): boolean =>
  body !== null && typeof body === 'object' && Object.keys(body).sort().join() === [...fields].sort().join()
