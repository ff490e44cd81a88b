// Votes on change requests. The vote that reaches the quorum makes the change.
import { and, eq, gte } from 'drizzle-orm'
import { memberships } from '../../../drizzle'
import { MEMBER, type User, userOf } from '../../auth/actor'
import { apiErrorIn, invalidErrorText, permissionDenied } from '../../errors'
import { isEncrypted } from '../../storage/cipher'
import { isGuardFailure } from '../../storage/database'
import { retryOnConflict } from '../../storage/retry-on-conflict'
import { runBatch } from '../../storage/run-batch'
import { toStoredTimestamp } from '../../timestamps'
import { selectAuthor } from '../author'
import type { FlagContext } from '../context'
import { createPayloadCipher, type PayloadCipher } from '../payloads'
import type { UpdateFlagBody } from '../schema'
import { castVote, isRequestChanged, type NewVotes } from './approval-statements'
import type { Decision } from './approval-types'
import {
  decisionOf,
  findRequest,
  getRecord,
  isCounted,
  isPendingRow,
  type RequestRow,
  resultOf,
} from './read-requests'
import type { ChangeRequest } from './request-schema'

interface VoteResult {
  status: 'approved' | 'applied' | 'failed' | 'rejected' | 'canceled'
  message: string
  change_request: ChangeRequest
  result?: { resource_id: number; resource_version: number }
}

/**
 * Approves a change. With the last approval that it needs, the change is made in the name of its requester, in the same transaction.
 * @throws 403 for callers who may not vote; 400 `{error}` for a second vote; 404
 */
export const approveRequest = (context: FlagContext, id: string, reason = ''): Promise<VoteResult> =>
  retried(async () => {
    const row = await findRequest(context, id)
    await requireVoter(context, row)
    const votes = votesWith(context, row, 'approved', reason)
    const approvals =
      row.votes.filter((vote) => vote.decision === 'approved' && isCounted(row, vote)).length + 1
    const { quorum } = row.policy
    if (approvals < quorum) {
      await cast(context, row, votes, 'approved')
      const message = `Approval recorded. ${approvals}/${quorum} approvals received.`
      return resultFrom(context, id, 'approved', message)
    }
    const problem = await apply(context, row, votes)
    if (problem === null)
      return resultFrom(context, id, 'applied', 'Quorum reached. Change applied successfully.')
    await cast(context, row, votes, 'approved', { state: 'failed', applyError: problem })
    return resultFrom(context, id, 'failed', `Quorum reached but application failed: ${problem}`)
  })

/**
 * Rejects a request, which ends it.
 * @throws 403 for callers who may not vote; 400 `{error}` without a reason, and for a second vote; 404
 */
export const rejectRequest = (context: FlagContext, id: string, reason = ''): Promise<VoteResult> =>
  retried(async () => {
    const row = await findRequest(context, id)
    await requireVoter(context, row)
    if (reason === '') throw invalidErrorText('A reason is required for rejection.')
    await cast(context, row, votesWith(context, row, 'rejected', reason), 'rejected', { state: 'rejected' })
    return resultFrom(context, id, 'rejected', 'Change request rejected.')
  })

/** Cancels a request of the caller, which ends it. @throws 403 for others; 404 */
export const cancelRequest = (
  context: FlagContext,
  id: string,
  reason = 'Canceled by requester',
): Promise<VoteResult> =>
  retried(async () => {
    const row = await findRequest(context, id)
    if (!isPendingRow(row, context.deps.clock.now()))
      throw permissionDenied('Only pending change requests can be canceled')
    if (row.createdById !== voterOf(context).id)
      throw permissionDenied('You can only cancel your own change requests')
    await cast(context, row, votesWith(context, row, 'rejected', reason), 'canceled', { state: 'rejected' })
    return resultFrom(context, id, 'canceled', 'Change request canceled.')
  })

/** Repeats a vote when others vote at the same time. */
const retried = (vote: () => Promise<VoteResult>) =>
  retryOnConflict(vote, (error) => isGuardFailure(error) || isRequestChanged(error))

/** Returns the caller, who is a person because the operations require it. */
const voterOf = ({ actor }: FlagContext): User => userOf(actor)!

async function requireVoter(context: FlagContext, row: RequestRow): Promise<void> {
  const { deps, project } = context
  const { id } = voterOf(context)
  if (!isPendingRow(row, deps.clock.now()))
    throw permissionDenied('Only pending change requests can be approved')
  if (row.createdById === id && !row.policy.allow_self_approve)
    throw permissionDenied('You cannot approve your own change request')
  // The membership is read again, because for some seconds an isolate may still have an old one.
  const [member] = await deps.db
    .select({ id: memberships.userId })
    .from(memberships)
    .where(
      and(
        eq(memberships.organizationId, project.organizationId),
        eq(memberships.userId, id),
        gte(memberships.level, MEMBER),
      ),
    )
  if (!member || !row.policy.users.includes(id))
    throw permissionDenied('You are not in the approver set for this change request')
  if (decisionOf(row, id) !== null) throw invalidErrorText('You have already voted on this change request.')
}

/** Returns the votes, including the caller's. */
function votesWith(
  context: FlagContext,
  { id: requestId, votes }: RequestRow,
  decision: Decision,
  reason: string,
): NewVotes {
  const { clock, ids } = context.deps
  const now = clock.now()
  const vote = {
    id: ids.uuid(now),
    userId: voterOf(context).id,
    decision,
    reason,
    at: toStoredTimestamp(now),
  }
  return { requestId, votes: [...votes, vote] }
}

const cast = (
  { deps, actor, project }: FlagContext,
  row: RequestRow,
  votes: NewVotes,
  verb: 'approved' | 'rejected' | 'canceled',
  end?: Parameters<typeof castVote>[2]['end'],
) =>
  runBatch(
    deps.db,
    castVote(
      deps,
      project.id,
      { ...votes, voter: actor, verb, name: row.change.flagKey, ...(end && { end }) },
      deps.clock.now(),
    ),
  )

const REQUESTER_MAY_NOT =
  'Who requested it may no longer change flags. Another member can make the change again.'

/**
 * Makes the change, and ends the request with it.
 * @returns why the change cannot be made, or null when it is made
 * @throws 409 when another user has voted since, an approval no longer counts, or the requester lost the right by now; errors of the service
 */
async function apply(context: FlagContext, row: RequestRow, votes: NewVotes): Promise<string | null> {
  const { deps, actor, project } = context
  const { flagKey, body, before, version, wasDeleted, wasActive } = row.change
  const [author] = row.createdById === null ? [] : await selectAuthor(deps.db, row.createdById, project.id)
  if (!author) return REQUESTER_MAY_NOT
  const { level: _, ...user } = author
  try {
    const { mark } = await deps.projectObjects.writeFlag({
      kind: 'update',
      id: row.flagId,
      body: await decryptPayloads(body as UpdateFlagBody, createPayloadCipher(deps.env)),
      actor: { kind: 'system', user },
      project,
      now: deps.clock.now().getTime(),
      approval: {
        ...votes,
        approver: { kind: 'system', user: userOf(actor) },
        flagKey,
        before,
        version,
        wasDeleted,
        ...(wasActive !== undefined && { wasActive }),
      },
    })
    await deps.snapshots.leaveMark(project.id, mark)
    return null
  } catch (error) {
    const rejection = apiErrorIn(error)
    if (!rejection || rejection.status >= 500 || isRequestChanged(rejection)) throw error
    return rejection.detail
  }
}

/** Returns a body as its caller sent it. @throws 500 when a key is missing */
async function decryptPayloads(body: UpdateFlagBody, cipher: PayloadCipher): Promise<UpdateFlagBody> {
  const { payloads } = (body.filters ?? {}) as { payloads?: Record<string, string> }
  if (!payloads) return body
  const plain = Object.entries(payloads).map(
    async ([key, value]) => [key, isEncrypted(value) ? await cipher.decrypt(value) : value] as const,
  )
  return { ...body, filters: { ...body.filters, payloads: Object.fromEntries(await Promise.all(plain)) } }
}

async function resultFrom(
  context: FlagContext,
  id: string,
  status: VoteResult['status'],
  message: string,
): Promise<VoteResult> {
  const row = await findRequest(context, id)
  const result = resultOf(row)
  return {
    status,
    message,
    change_request: await getRecord(context, row),
    ...(result && { result }),
  }
}
