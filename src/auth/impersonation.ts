// Staff who look at the service as somebody else: for how long, and what they may not touch (reference/account-api.md §0.6, §9.8).
import { ApiError } from '../errors'
import { stored } from '../timestamps'
import type { Impersonation } from './actor'

const TOTAL_MS = 2 * 3_600_000
const IDLE_MS = 30 * 60_000

/** Where the writes of operations are closed unless their literal says otherwise: all of it belongs to one user alone. */
const PERSONAL = ['/api/users/', '/api/personal_api_keys/']

/**
 * What staff may do while they look as somebody else: call it, not call it, or call it with a body of exactly these fields. An operation
 * or a page says so of itself; the address that a request came to decides nothing, for it may be spelled in more ways than one.
 */
export type ImpersonationRule = 'open' | 'closed' | { onlyFields: readonly string[] }

/** What an operation's literal says, or else what follows from where it stands (reference §0.6). */
export const impersonationRuleOf = (operation: {
  method: string
  path: string
  impersonation?: ImpersonationRule
}): ImpersonationRule =>
  operation.impersonation ??
  (operation.method !== 'get' && PERSONAL.some((place) => operation.path.startsWith(place))
    ? 'closed'
    : 'open')

/** The columns of a session that tell of impersonation. */
export interface ImpersonationRow {
  ownerId: number
  impersonatedUserId: number | null
  reason: string | null
  readOnly: boolean | null
  startedAt: string | null
  impersonationActivity: string | null
}

const later = (moment: string, ms: number) => stored(new Date(Date.parse(moment) + ms))

/** The impersonation that a session's row tells of, `expired` when it went on, or idle, for too long, null when there is none. */
export function impersonationFrom(row: ImpersonationRow, now: Date): Impersonation | 'expired' | null {
  const { ownerId, impersonatedUserId, reason, readOnly, startedAt, impersonationActivity } = row
  if (impersonatedUserId === null || startedAt === null) return null
  const total = later(startedAt, TOTAL_MS)
  const idle = later(impersonationActivity ?? startedAt, IDLE_MS)
  if ((idle < total ? idle : total) <= stored(now)) return 'expired'
  // The request that is being answered is activity, too.
  const next = later(stored(now), IDLE_MS)
  return {
    staffId: ownerId,
    reason: reason ?? '',
    readOnly: readOnly ?? false,
    until: next < total ? next : total,
  }
}

/** These refusals have no `attr` (reference §0.1). */
const blocked = (code: string, detail: string) =>
  new ApiError({ status: 403, type: 'authentication_error', code, detail, shape: 'without attr' })

export const IMPERSONATION_EXPIRED = 'impersonation_expired'

/** 401, in plain text: its code is for our own pages. */
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
  /** Whether it only reads, whatever its method. */
  reads: boolean
  /** The body, parsed; asked for only where it decides. */
  body(): Promise<unknown>
}

/**
 * The one place that keeps staff from acting in the name of the user they look as.
 * @throws 403 `impersonation_path_blocked` for what is closed, 403 `impersonation_read_only` for all writes when the impersonation was
 *   started to look only.
 */
export async function requireImpersonationRule(
  impersonation: Impersonation,
  { rule, reads, body }: Attempt,
): Promise<void> {
  if (rule === 'closed' || (rule !== 'open' && !hasOnly(rule.onlyFields, await body()))) {
    throw blocked('impersonation_path_blocked', 'This action is not allowed during impersonation.')
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
