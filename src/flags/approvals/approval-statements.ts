// Statements about change requests that wait, and those that end one in the batch of its update.
import { and, eq, gt, type SQL, sql } from 'drizzle-orm'
import { changeRequests } from '../../../drizzle'
import { recordActivity } from '../../activity/record'
import type { Actor } from '../../auth/actor'
import type { Ids } from '../../clock'
import { ApiError } from '../../errors'
import { existsIn } from '../../storage/count'
import { type Database, guard } from '../../storage/database'
import { toStoredTimestamp } from '../../timestamps'
import type { Approval } from '../write/write-types'

/** A request that has not ended, though it may have expired. Not a parameter: the index on those that wait has the same condition. */
export const IS_UNDECIDED = sql`${changeRequests.state} = 'pending'`

/** A request that waits for votes: neither ended nor expired. */
export const isPending = (now: Date): SQL =>
  and(IS_UNDECIDED, gt(changeRequests.endsAt, toStoredTimestamp(now)))!

/** The votes of a request, with one more than was read. */
export type NewVotes = Pick<Approval, 'requestId' | 'votes'>

/** The request still waits, and has no vote since it was read. */
const isWaiting = ({ requestId, votes }: NewVotes, now: Date): SQL =>
  and(
    eq(changeRequests.id, requestId),
    sql`json_array_length(${changeRequests.votes}) = ${votes.length - 1}`,
    isPending(now),
  )!

/** A row while the request still waits as it was read. */
export const selectWaiting = (db: Database, votes: NewVotes, now: number) =>
  existsIn(db, changeRequests, isWaiting(votes, new Date(now)))

const REQUEST_CHANGED = 'change_request_changed'

/** 409: another user has voted on the request since, or it has expired. */
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
  /** Key of the flag. */
  name: string
  /** What ends the request. */
  end?: Pick<typeof changeRequests.$inferInsert, 'state' | 'applyError' | 'appliedVersion'>
}

/** The statements that add a vote to a request that waits, with its entry; they fail the batch when somebody else has voted or it has ended. */
export const castVote = (
  { db, ids }: { db: Database; ids: Ids },
  projectId: number,
  { requestId, votes, voter, verb, name, end }: Ballot,
  now: Date,
) => [
  guard(db, sql`EXISTS (SELECT 1 FROM ${changeRequests} WHERE ${isWaiting({ requestId, votes }, now)})`),
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

/** Ends a request that is applied. */
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
