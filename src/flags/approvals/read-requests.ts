// Reads change requests.
import { and, desc, eq, getTableColumns, inArray, lte, or, type SQL, sql } from 'drizzle-orm'
import { changeRequests, featureFlags } from '../../../drizzle'
import { MEMBER, userOf } from '../../auth/actor'
import { notFound } from '../../errors'
import { page, type Page } from '../../http/pagination'
import { type UserSummary, userSummarySql } from '../../http/user-summary'
import { bytesOf, isWithinBytes, sortByPlace, withRunningTotal } from '../../storage/byte-page'
import { isEncrypted } from '../../storage/cipher'
import { countOf, totalIn } from '../../storage/count'
import type { Database } from '../../storage/database'
import { isAmong } from '../../storage/id-predicates'
import { toApiTimestamp, toStoredTimestamp } from '../../timestamps'
import type { FlagContext } from '../context'
import type { FlagFilters } from '../filters/flag-filters'
import { PLACEHOLDER } from '../payloads'
import { selectFlags } from '../read/rows'
import { IS_UNDECIDED, isPending, isVotingMember } from './approval-statements'
import type { Decision, HeldChange, Vote } from './approval-types'
import { rolloutsOf } from './held-action'
import { changedSince } from './request-base'
import type { ChangeRequest, ChangeRequestQuery } from './request-schema'

/** How often a record shows a change. */
const COPIES = 3

/** SQL of something of the flag of a request, which has no row when the flag has been deleted or restored since. */
const ofFlag = (columns: SQL): SQL => sql`(SELECT ${columns} FROM feature_flags f
  WHERE f.id = change_requests.flag_id AND f.deleted = change_requests.change ->> '$.wasDeleted')`

const columns = {
  ...getTableColumns(changeRequests),
  createdBy: userSummarySql('change_requests.created_by_id').as('created_by'),
  /** Summaries of the voters as JSON text, in the order of the votes. */
  voters: sql<string>`(SELECT json_group_array(json(${userSummarySql("vote.value ->> 'userId'")}))
    FROM json_each(change_requests.votes) vote)`.as('voters'),
  /** The ids of the voters who may still vote, as JSON text. */
  members: sql<string>`(SELECT json_group_array(vote.value ->> 'userId')
    FROM json_each(change_requests.votes) vote WHERE ${isVotingMember(sql`vote.value ->> 'userId'`)})`.as(
    'members',
  ),
  /** The version of the flag, unless it has been deleted or restored since. */
  flagVersion: sql<number | null>`${ofFlag(sql`f.version`)}`.as('flag_version'),
}

const requestById = (projectId: number, id: string): SQL =>
  and(eq(changeRequests.projectId, projectId), eq(changeRequests.id, id))!

const selectRequests = (db: Database, where: SQL) => db.select(columns).from(changeRequests).where(where)

export type RequestRow = Awaited<ReturnType<typeof selectRequests>>[number]

/** @throws 404. */
export async function findRequest({ deps, project }: FlagContext, id: string): Promise<RequestRow> {
  const [row] = await selectRequests(deps.db, requestById(project.id, id))
  if (!row) throw notFound()
  return row
}

/** @throws 404. */
export const getRequest = async (context: FlagContext, id: string): Promise<ChangeRequest> =>
  getRecord(context, await findRequest(context, id))

/** Returns a request as the caller sees it. */
export async function getRecord(context: FlagContext, row: RequestRow): Promise<ChangeRequest> {
  const [record] = await recordsOf(context, [row], context.deps.clock.now())
  return record!
}

/** Reads the flags of requests that wait and whose flag has another version, because other fields of it may have changed. */
async function recordsOf(
  context: FlagContext,
  rows: readonly RequestRow[],
  now: Date,
): Promise<ChangeRequest[]> {
  const isOutdated = ({ flagVersion, change }: RequestRow) =>
    flagVersion !== null && flagVersion !== change.version
  const ids = rows.filter((row) => isPendingRow(row, now) && isOutdated(row)).map(({ flagId }) => flagId)
  const flags = ids.length === 0 ? [] : await selectFlags(context.deps.db, isAmong(ids, featureFlags.id))
  const byId = new Map(flags.map((flag) => [flag.id, flag]))
  return rows.map((row) => {
    const { change, flagVersion } = row
    const flag = byId.get(row.flagId)
    const isCurrent =
      flagVersion === change.version || (flag !== undefined && changedSince(change, flag).length === 0)
    return recordOf(row, isCurrent, context, now)
  })
}

/** Lists requests, newest first. A page ends early when its rows are large. */
export async function listRequests(
  context: FlagContext,
  query: ChangeRequestQuery,
  url: URL,
): Promise<Page<ChangeRequest>> {
  const { deps, project } = context
  const { db } = deps
  const now = deps.clock.now()
  const { limit, offset } = query
  const { id, projectId, change } = changeRequests
  const isListed = and(
    // Because of the unary plus, SQLite uses the index on the flag.
    query.resource_id === undefined
      ? eq(projectId, project.id)
      : and(sql`+${projectId} = ${project.id}`, eq(changeRequests.flagId, query.resource_id)),
    conditionOf(query, voterIdOf(context), now),
  )
  // The flags of requests count, because some of them are read.
  const ofFlags = ofFlag(bytesOf(sql`f.filters`, sql`f.rollback_conditions`))
  const picked = sql`SELECT ${id} AS id, ${COPIES} * ${bytesOf(change)} + coalesce(${ofFlags}, 0) AS bytes FROM ${changeRequests} WHERE ${isListed}
    ORDER BY ${desc(id)} LIMIT ${limit} OFFSET ${offset}`
  const [counts, rows] = await db.batch([
    countOf(db, changeRequests, isListed),
    db
      .select({ ...columns, place: sql<number>`picked.place`.as('place') })
      .from(changeRequests)
      .innerJoin(withRunningTotal(picked), sql`${id} = picked.id AND ${isWithinBytes()}`),
  ])
  return page(url, { limit, offset }, totalIn(counts), await recordsOf(context, sortByPlace(rows), now))
}

type Reader = Pick<FlagContext, 'actor' | 'project'>

/** Returns null for a viewer, who may not vote. */
const voterIdOf = ({ actor, project }: Reader): number | null =>
  project.membershipLevel < MEMBER ? null : (userOf(actor)?.id ?? null)

function conditionOf(query: ChangeRequestQuery, userId: number | null, now: Date): SQL | undefined {
  const { state, requester, can_approve: canVote } = query
  const actionKey = query.action_type ?? query.action_key
  const ended = state?.filter((each) => each === 'applied' || each === 'rejected' || each === 'failed') ?? []
  const votes = isVoter(userId, now)
  return and(
    actionKey === undefined ? undefined : eq(changeRequests.actionKey, actionKey),
    requester === undefined ? undefined : eq(changeRequests.createdById, requester),
    canVote === undefined ? undefined : canVote ? votes : sql`NOT (${votes})`,
    state === undefined
      ? undefined
      : (or(
          ended.length > 0 ? inArray(changeRequests.state, ended) : undefined,
          state.includes('pending') ? isPending(now) : undefined,
          state.includes('expired')
            ? and(IS_UNDECIDED, lte(changeRequests.endsAt, toStoredTimestamp(now)))
            : undefined,
        ) ?? sql`FALSE`),
  )
}

/** SQL condition for `canVote`. */
const isVoter = (userId: number | null, now: Date): SQL =>
  and(
    isPending(now),
    sql`EXISTS (SELECT 1 FROM json_each(${changeRequests.policy}, '$.users') approver WHERE approver.value = ${userId})`,
    sql`(${changeRequests.createdById} IS NOT ${userId} OR ${changeRequests.policy} ->> '$.allow_self_approve')`,
    sql`NOT EXISTS (SELECT 1 FROM json_each(${changeRequests.votes}) vote WHERE vote.value ->> 'userId' = ${userId})`,
  )!

/** Whether a vote counts for a request that waits. An approval does only while its user may still approve. */
export const isCounted = ({ members }: Pick<RequestRow, 'members'>, { decision, userId }: Vote): boolean =>
  decision === 'rejected' || (JSON.parse(members) as number[]).includes(userId)

type Voting = Pick<RequestRow, 'state' | 'endsAt' | 'policy' | 'votes' | 'createdById'>

export const isPendingRow = ({ state, endsAt }: Voting, now: Date): boolean =>
  state === 'pending' && endsAt > toStoredTimestamp(now)

const canVote = (row: Voting, userId: number | null, now: Date): boolean =>
  userId !== null &&
  isPendingRow(row, now) &&
  row.policy.users.includes(userId) &&
  (row.createdById !== userId || row.policy.allow_self_approve) &&
  !row.votes.some((vote) => vote.userId === userId)

/** @param isCurrent whether the flag has the values before the change */
function recordOf(row: RequestRow, isCurrent: boolean, reader: Reader, now: Date): ChangeRequest {
  const voterId = voterIdOf(reader)
  const userId = userOf(reader.actor)?.id ?? -1
  const waits = isPendingRow(row, now)
  const isExpired = row.state === 'pending' && !waits
  const isRequester = row.createdById === userId
  const createdBy = row.createdBy
  const isApplied = row.state === 'applied'
  const { flagKey, version, updatedAt } = row.change
  const [before, after] = [shown(row.change.before), shown(row.change.body)]
  const voters = JSON.parse(row.voters) as (UserSummary | null)[]
  return {
    id: row.id,
    action_key: row.actionKey,
    action_version: 1,
    resource_type: 'feature_flag',
    resource_id: String(row.flagId),
    intent: {
      flag_id: row.flagId,
      flag_key: flagKey,
      current_state: withRollouts(before),
      gated_changes: withRollouts(after),
      full_request_data: after,
      preconditions: { version, updated_at: toApiTimestamp(updatedAt) },
      http_method: 'PATCH',
    },
    intent_display: { description: describe(row.change), before, after },
    policy_snapshot: { ...row.policy, roles: [], bypass_roles: [] },
    validation_status: isExpired ? 'expired' : waits && !isCurrent ? 'stale' : 'valid',
    validation_errors: null,
    validated_at: null,
    state: isExpired ? 'expired' : row.state,
    created_by: createdBy,
    applied_by: isApplied ? createdBy : null,
    created_at: toApiTimestamp(row.createdAt),
    updated_at: toApiTimestamp(row.updatedAt),
    expires_at: toApiTimestamp(row.expiresAt),
    applied_at: isApplied ? toApiTimestamp(row.endsAt) : null,
    apply_error: row.applyError,
    result_data: resultOf(row),
    approvals: row.votes.map((vote, index) => ({
      id: vote.id,
      created_by: voters[index] ?? null,
      decision: vote.decision,
      reason: vote.reason,
      created_at: toApiTimestamp(vote.at),
      is_counted: !waits || isCounted(row, vote),
    })),
    can_approve: canVote(row, voterId, now),
    can_cancel: waits && isRequester && voterId !== null,
    is_requester: isRequester,
    user_decision: decisionOf(row, userId),
  }
}

export const decisionOf = ({ votes }: Voting, userId: number): Decision | null =>
  votes.findLast((vote) => vote.userId === userId)?.decision ?? null

/** Returns the result of an applied request, or null before that. */
export const resultOf = ({ flagId, appliedVersion }: Pick<RequestRow, 'flagId' | 'appliedVersion'>) =>
  appliedVersion === null ? null : { resource_id: flagId, resource_version: appliedVersion }

function describe({ flagKey, body, before }: HeldChange): string {
  const { active, deleted } = body
  const names = Object.keys(before).filter((field) => field !== 'active' && field !== 'deleted')
  const verbs = [
    ...(deleted === undefined ? [] : [deleted ? 'Delete' : 'Restore']),
    ...(active === undefined ? [] : [active ? 'Enable' : 'Disable']),
    ...(names.length > 0 ? ['Update'] : []),
  ]
  const [first = 'Update', ...others] = verbs
  const does = [first, ...others.map((verb) => verb.toLowerCase())].join(' and ')
  return `${does} feature flag '${flagKey}'${names.length > 0 ? `: ${names.join(', ')}` : ''}`
}

type Fields = Record<string, unknown>

/** Returns the fields without encrypted payloads. */
function shown(fields: object): Fields {
  const { filters, ...rest } = fields as { filters?: FlagFilters }
  if (!filters) return { ...rest }
  const { payloads } = filters
  if (!payloads) return { ...rest, filters }
  const readable = Object.entries(payloads).map(([key, value]) => [
    key,
    isEncrypted(value) ? PLACEHOLDER : value,
  ])
  return { ...rest, filters: { ...filters, payloads: Object.fromEntries(readable) } }
}

/** Replaces filters by their percentages, as upstream does. */
function withRollouts(fields: Fields): Fields {
  const { filters, ...rest } = fields as { filters?: FlagFilters }
  return filters ? { ...rest, rollout_percentage: rolloutsOf(filters) } : rest
}
