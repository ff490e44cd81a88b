// Statements about change requests that wait, and those that end a request in the batch of its update.
import { and, eq, gt, type SQL, sql } from 'drizzle-orm'
import { changeRequests } from '../../../drizzle'
import { recordActivity } from '../../activity/record'
import type { Actor } from '../../auth/actor'
import type { Ids } from '../../clock'
import { ApiError } from '../../errors'
import { type Database, guard } from '../../storage/database'
import { toStoredTimestamp } from '../../timestamps'
import { mayChangeFlags } from '../author'
import type { Approval } from '../write/write-types'

/**
 * SQL condition: the request has not ended, though it may have expired. It has no parameter, because the index on waiting requests has
 * the same condition.
 */
export const IS_UNDECIDED = sql`${changeRequests.state} = 'pending'`

/** SQL condition: the request waits for votes. It has neither ended nor expired. */
export const isPending = (now: Date): SQL =>
  and(IS_UNDECIDED, gt(changeRequests.endsAt, toStoredTimestamp(now)))!

/** Selects the change requests of a project that wait. They are few (`MAX_PENDING`). */
export const selectWaiting = (db: Database, projectId: number, now: Date) =>
  db
    .select({
      id: changeRequests.id,
      flagId: changeRequests.flagId,
      actionKey: changeRequests.actionKey,
      createdById: changeRequests.createdById,
      endsAt: changeRequests.endsAt,
    })
    .from(changeRequests)
    .where(and(eq(changeRequests.projectId, projectId), isPending(now)))

export type WaitingRequest = Awaited<ReturnType<typeof selectWaiting>>[number]

/** The votes of a request, including one that is not stored yet. */
export type NewVotes = Pick<Approval, 'requestId' | 'votes'>

/** SQL condition: the request still waits, and has had no vote since it was read. */
const isStillPending = ({ requestId, votes }: NewVotes, now: Date): SQL =>
  and(
    eq(changeRequests.id, requestId),
    sql`json_array_length(${changeRequests.votes}) = ${votes.length - 1}`,
    isPending(now),
  )!

/**
 * SQL of the number of users of a request's approvals who may still vote: an approval does not count when its user has left the
 * organization or has become a viewer.
 * @param votes a JSON array
 */
const countApprovals = (votes: string): SQL => sql`(SELECT count(*) FROM json_each(${votes}) vote
  WHERE vote.value ->> 'decision' = 'approved' AND ${isVotingMember(sql`vote.value ->> 'userId'`)})`

/** SQL condition: the user may vote on the change request of the outer query. */
export const isVotingMember = (userId: SQL): SQL => mayChangeFlags(userId, sql`change_requests.project_id`)

/** SQL condition: the request waits as it was read, and the approvals that count reach the quorum. */
const isApproved = (votes: NewVotes, now: Date): SQL =>
  sql`${isStillPending(votes, now)} AND ${countApprovals(JSON.stringify(votes.votes))} >= ${changeRequests.policy} ->> '$.quorum'`

/** SQL condition: the change may be made. It is approved, and who requested it may still change flags. */
const isReady = (votes: NewVotes, now: Date): SQL =>
  sql`${isApproved(votes, now)} AND ${mayChangeFlags(sql`change_requests.created_by_id`, sql`change_requests.project_id`)}`

const REQUEST_CHANGED = 'change_request_changed'

/**
 * The 409 error: another user has voted on the request since, it has expired, an approval no longer counts, or its requester may not change
 * flags any more.
 */
export const requestChanged = () =>
  new ApiError({
    status: 409,
    type: 'server_error',
    code: REQUEST_CHANGED,
    detail: 'The change request has changed.',
  })

export const isRequestChanged = (error: unknown): boolean =>
  error instanceof ApiError && error.code === REQUEST_CHANGED

interface Ballot extends NewVotes {
  voter: Actor
  verb: 'approved' | 'rejected' | 'canceled'
  /** The key of the flag. */
  name: string
  /** How the vote ends the request. Without it, the request keeps waiting. */
  end?: Pick<typeof changeRequests.$inferInsert, 'state' | 'applyError' | 'appliedVersion'>
}

const conditionOf = (verb: Ballot['verb'], end: Ballot['end']) =>
  !end || verb !== 'approved' ? isStillPending : end.state === 'applied' ? isReady : isApproved

/**
 * The statements that add a vote and its entry to a waiting request. They fail the batch when somebody else has voted or the request has
 * ended, when an approval that ends it does not reach the quorum, and when its change is made and the requester may not change flags.
 */
export const castVote = (
  { db, ids }: { db: Database; ids: Ids },
  projectId: number,
  { requestId, votes, voter, verb, name, end }: Ballot,
  now: Date,
) => [
  guard(
    db,
    sql`EXISTS (SELECT 1 FROM ${changeRequests} WHERE ${conditionOf(verb, end)({ requestId, votes }, now)})`,
  ),
  db
    .update(changeRequests)
    .set({
      votes,
      updatedAt: toStoredTimestamp(now),
      ...(end && { ...end, endsAt: toStoredTimestamp(now) }),
    })
    .where(eq(changeRequests.id, requestId)),
  recordActivity({ db, ids }, now, {
    projectId,
    actor: voter,
    scope: 'ChangeRequest',
    itemId: requestId,
    verb,
    name,
    changes: end
      ? [{ type: 'ChangeRequest', action: 'changed', field: 'state', before: 'pending', after: end.state }]
      : [],
  }),
]

/** The statements that end an approved request. */
export const endApproved = (
  tools: { db: Database; ids: Ids },
  { projectId, key, version }: { projectId: number; key: string; version: number },
  { approver, ...votes }: Approval,
  now: Date,
) =>
  castVote(
    tools,
    projectId,
    {
      ...votes,
      voter: approver,
      verb: 'approved',
      name: key,
      end: { state: 'applied', appliedVersion: version },
    },
    now,
  )
