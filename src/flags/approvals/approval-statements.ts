// Statements about change requests that wait, and those that end a request in the batch of its update.
import { and, eq, gt, type SQL, sql } from 'drizzle-orm'
import { changeRequests, memberships, projects, users } from '../../../drizzle'
import { recordActivity } from '../../activity/record'
import { type Actor, MEMBER } from '../../auth/actor'
import type { Ids } from '../../clock'
import { ApiError } from '../../errors'
import { existsIn } from '../../storage/count'
import { type Database, guard } from '../../storage/database'
import { toStoredTimestamp } from '../../timestamps'
import type { Approval } from '../write/write-types'

/**
 * SQL condition: the request has not ended, though it may have expired. It has no parameter, because the index on waiting requests has
 * the same condition.
 */
export const IS_UNDECIDED = sql`${changeRequests.state} = 'pending'`

/** SQL condition: the request waits for votes. It has neither ended nor expired. */
export const isPending = (now: Date): SQL =>
  and(IS_UNDECIDED, gt(changeRequests.endsAt, toStoredTimestamp(now)))!

/** The votes of a request, including one that is not stored yet. */
export type NewVotes = Pick<Approval, 'requestId' | 'votes'>

/** SQL condition: the request still waits, and has had no vote since it was read. */
const isWaiting = ({ requestId, votes }: NewVotes, now: Date): SQL =>
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
export const isVotingMember = (userId: SQL | number): SQL => sql`EXISTS (SELECT 1 FROM ${memberships}
  JOIN ${users} ON ${users.id} = ${memberships.userId} AND ${users.isActive}
  WHERE ${memberships.userId} = ${userId} AND ${memberships.level} >= ${sql.raw(String(MEMBER))}
    AND ${memberships.organizationId} = (SELECT ${projects.organizationId} FROM ${projects} WHERE ${projects.id} = ${changeRequests.projectId}))`

/** SQL condition: the request waits as it was read, and the approvals that count reach the quorum. */
const isApproved = (votes: NewVotes, now: Date): SQL =>
  sql`${isWaiting(votes, now)} AND ${countApprovals(JSON.stringify(votes.votes))} >= ${changeRequests.policy} ->> '$.quorum'`

/** Selects a row while the request waits as it was read, and its approvals reach the quorum. */
export const selectApproved = (db: Database, votes: NewVotes, now: number) =>
  existsIn(db, changeRequests, isApproved(votes, new Date(now)))

const REQUEST_CHANGED = 'change_request_changed'

/** The 409 error: another user has voted on the request since, it has expired, or an approval no longer counts. */
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

/**
 * The statements that add a vote and its entry to a waiting request. They fail the batch when somebody else has voted or the request has
 * ended, and when an approval that ends it does not reach the quorum.
 */
export const castVote = (
  { db, ids }: { db: Database; ids: Ids },
  projectId: number,
  { requestId, votes, voter, verb, name, end }: Ballot,
  now: Date,
) => [
  guard(
    db,
    sql`EXISTS (SELECT 1 FROM ${changeRequests} WHERE ${(end && verb === 'approved' ? isApproved : isWaiting)({ requestId, votes }, now)})`,
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
