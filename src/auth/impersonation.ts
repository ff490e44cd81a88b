// Staff who look at the service as somebody else: for how long, and what they may not touch (reference/account-api.md §0.6, §9.8).
import { ApiError } from '../errors'
import { stored } from '../timestamps'
import type { Impersonation } from './actor'

const TOTAL_MS = 2 * 3_600_000
const IDLE_MS = 30 * 60_000

/** Paths whose writes are closed while impersonating, but for switching the organization. */
const BLOCKED = /^\/(api\/users|api\/personal_api_keys|settings)(\/|$)/
const SWITCH_PATH = /^\/api\/users\/@me\/?$/

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
  const until = idle < total ? idle : total
  if (until <= stored(now)) return 'expired'
  return { staffId: ownerId, reason: reason ?? '', readOnly: readOnly ?? false, until }
}

/** These refusals have no `attr` (reference §0.1). */
const blocked = (code: string, detail: string) =>
  new ApiError({ status: 403, type: 'authentication_error', code, detail, shape: 'without attr' })

/** 401, in plain text. */
export const impersonationExpired = () =>
  new ApiError({
    status: 401,
    type: 'authentication_error',
    code: 'not_authenticated',
    detail: 'Impersonation session has expired. Please log in again.',
    shape: 'text',
  })

export interface Attempt {
  method: string
  path: string
  /** Whether the operation only reads, whatever its method. */
  reads: boolean
  /** The body, parsed; asked for only where it decides. */
  body(): Promise<unknown>
}

/**
 * The one place that keeps staff from acting in the name of the user they look as.
 * @throws 403 `impersonation_path_blocked` for writes to what belongs to the user alone, 403 `impersonation_read_only` for all writes when
 *   the impersonation was started to look only.
 */
export async function requireAllowedWhileImpersonating(
  impersonation: Impersonation,
  { method, path, reads, body }: Attempt,
): Promise<void> {
  if (['GET', 'HEAD', 'OPTIONS'].includes(method)) return
  if (BLOCKED.test(path) && !(await switchesOrganization(method, path, body))) {
    throw blocked('impersonation_path_blocked', 'This action is not allowed during impersonation.')
  }
  if (impersonation.readOnly && !reads) {
    throw blocked(
      'impersonation_read_only',
      'This action is not allowed during read-only user impersonation.',
    )
  }
}

async function switchesOrganization(method: string, path: string, body: () => Promise<unknown>) {
  if (method !== 'PATCH' || !SWITCH_PATH.test(path)) return false
  const sent = await body()
  return sent !== null && typeof sent === 'object' && Object.keys(sent).join() === 'set_current_organization'
}
