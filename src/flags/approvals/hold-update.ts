// Turns an update of a flag that a policy holds into a change request.
import { eq, sql } from 'drizzle-orm'
import { changeRequests } from '../../../drizzle'
import { recordActivity } from '../../activity/record'
import { sameJson } from '../../json'
import { isImpersonated, userOf } from '../../auth/actor'
import { impersonationBlocked } from '../../auth/impersonation'
import { ApiError, invalid } from '../../errors'
import { jsonBytes } from '../../json-bytes'
import { guard } from '../../storage/database'
import { isAmong } from '../../storage/id-predicates'
import { toStoredTimestamp } from '../../timestamps'
import type { FlagFilters } from '../filters/flag-filters'
import { withoutLegacy } from '../filters/normalize'
import { encryptPayloads, type PayloadCipher } from '../payloads'
import type { FlagRow } from '../read/rows'
import type { UpdateFlagBody } from '../schema'
import { sentFields, stateOf } from '../state'
import type { SharedFacts } from '../write/facts'
import type { UpdatePlan } from '../write/plan-update'
import type { HeldWrite, WriteTools } from '../write/prepared-write'
import type { UpdateWrite } from '../write/write-types'
import { isPending } from './approval-statements'
import {
  APPROVAL_REQUIRED,
  type HeldChange,
  MAX_HELD_BYTES,
  MAX_PENDING,
  MAX_PENDING_OF_REQUESTER,
  REQUEST_PENDING,
} from './approval-types'
import { policyFor } from './held-action'

/**
 * Makes a change request of an update, which is then one of those that wait.
 * @param body the body that the plan was made from
 * @returns null when no policy holds the update
 * @throws 400 when two policies hold it, when it is too large, or when too many requests wait; 409 while a request for the same action on
 * the flag waits; 403 for staff who impersonate a user, because they could approve it as themselves
 */
export async function holdUpdate(
  { db, ids, cipher }: WriteTools,
  { actor, project, now: at }: UpdateWrite,
  row: FlagRow,
  body: UpdateFlagBody,
  plan: UpdatePlan,
  { policies, waiting }: Pick<SharedFacts, 'policies' | 'waiting'>,
): Promise<HeldWrite | null> {
  const before = stateOf(row)
  const policy = policyFor(
    policies,
    { before, after: plan.after, hasNewContexts: plan.contexts !== null },
    project.membershipLevel,
  )
  if (!policy) return null
  if (isImpersonated(actor))
    throw impersonationBlocked('This change needs approval, which cannot be requested during impersonation.')

  const now = new Date(at)
  const stored = toStoredTimestamp(now)
  const { actionKey } = policy
  const createdById = userOf(actor)?.id ?? null
  const pending = waiting.filter(({ endsAt }) => endsAt > stored)
  const same = pending.find((request) => request.flagId === row.id && request.actionKey === actionKey)
  if (same) throw requestPending(same.id)
  if (pending.length >= MAX_PENDING) throw tooMany(`A project can have at most ${MAX_PENDING}`)
  if (pending.filter((request) => request.createdById === createdById).length >= MAX_PENDING_OF_REQUESTER)
    throw tooMany(`A member can have at most ${MAX_PENDING_OF_REQUESTER}`)

  const change = heldChange(row, body, plan, await filtersAfter(before.filters, plan, cipher))
  const bytes = jsonBytes(change)
  if (bytes > MAX_HELD_BYTES)
    throw invalid(
      null,
      `A change that needs approval can have at most ${MAX_HELD_BYTES} bytes, with the values before it. This one has ${bytes}.`,
    )

  const id = ids.uuid(now)
  const expiresAt = toStoredTimestamp(new Date(at + policy.expiresAfterSeconds * 1_000))
  const known = waiting.map((request) => request.id)
  waiting.push({ id, flagId: row.id, actionKey, createdById, endsAt: expiresAt })
  return {
    statements: [
      // The platform may run two objects of a project for a moment: no request waits that was not among those that were read.
      guard(
        db,
        sql`NOT EXISTS (SELECT 1 FROM ${changeRequests} WHERE ${eq(changeRequests.projectId, project.id)}
          AND ${isPending(now)} AND NOT ${isAmong(known, changeRequests.id)})`,
      ),
      db.insert(changeRequests).values({
        id,
        projectId: project.id,
        flagId: row.id,
        actionKey,
        change,
        policy: {
          quorum: policy.quorum,
          users: policy.approvers,
          allow_self_approve: policy.allowSelfApprove,
          conditions: policy.conditions,
          bypass_org_membership_levels: policy.bypassLevels,
        },
        votes: [],
        createdById,
        createdAt: stored,
        updatedAt: stored,
        expiresAt,
        endsAt: expiresAt,
      }),
      recordActivity({ db, ids }, now, {
        projectId: project.id,
        actor,
        scope: 'ChangeRequest',
        itemId: id,
        verb: 'created',
        name: row.key,
        changes: [],
      }),
    ],
    rejection: rejection(
      APPROVAL_REQUIRED,
      id,
      `This change needs approval. Change request ${id} waits for it.`,
    ),
  }
}

const tooMany = (limit: string) => invalid(null, `${limit} change requests that wait.`, 'limit_reached')

const rejection = (code: string, id: string, detail: string) =>
  new ApiError({ status: 409, type: 'server_error', code, detail, more: { change_request_id: id } })

const requestPending = (id: string) =>
  rejection(
    REQUEST_PENDING,
    id,
    `A pending approval request already exists for this action: change request ${id}. Approve, reject or cancel it first.`,
  )

/**
 * Returns filters as they will be stored, or null when the update changes none: every save drops legacy parts, and encrypts the payloads that
 * a flag has.
 */
async function filtersAfter(
  before: FlagFilters,
  { after }: UpdatePlan,
  cipher: PayloadCipher,
): Promise<FlagFilters | null> {
  if (sameJson(withoutLegacy(before), after.filters)) return null
  return (await encryptPayloads(after, cipher)).filters
}

function heldChange(
  row: FlagRow,
  body: UpdateFlagBody,
  plan: UpdatePlan,
  filters: FlagFilters | null,
): HeldChange {
  const before = stateOf(row)
  const sent = { ...sentFields(body), ...(filters && { filters }) }
  const { created_at, tags, evaluation_contexts, analytics_dashboards } = body
  const sets = {
    ...(plan.tags && { tags: [tags, row.tags] }),
    ...(plan.contexts && { evaluation_contexts: [evaluation_contexts, plan.contexts.before] }),
    ...(plan.dashboardIds && {
      analytics_dashboards: [analytics_dashboards, row.analytics_dashboards],
    }),
    ...(created_at && { created_at: [created_at, row.created_at] }),
  }
  const changes = [
    ...Object.entries(sent).map(([field, value]): [string, unknown, unknown] => [
      field,
      value,
      Reflect.get(before, field),
    ]),
    ...Object.entries(sets).map(([field, [value, old]]): [string, unknown, unknown] => [field, value, old]),
  ].filter(([, value, old]) => !sameJson(value ?? null, old ?? null))
  const dependsOnActive = changes.some(([field]) => field === 'deleted' || field === 'key')
  return {
    flagKey: row.key,
    body: Object.fromEntries(changes.map(([field, value]) => [field, value])),
    before: Object.fromEntries(changes.map(([field, , old]) => [field, old ?? null])),
    version: before.version,
    wasDeleted: before.deleted,
    ...(dependsOnActive && { wasActive: before.active }),
    updatedAt: row.updated_at,
  }
}
