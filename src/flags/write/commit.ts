// Commits writes of one project's flags: all facts in one round trip, unless they are remembered, then everything that the writes change in
// one batch.
import type { BatchItem } from 'drizzle-orm/batch'
import { type ApiError, apiErrorIn, notFound } from '../../errors'
import { userOf } from '../../auth/actor'
import { explainDefinitionQuota } from '../../snapshots/definition-quota'
import { type Database, guard, isGuardFailure } from '../../storage/database'
import { bumpGeneration } from '../../storage/flags-generation'
import { runBatch } from '../../storage/run-batch'
import type { FlagRow } from '../read/rows'
import { type FlagColumns, updateFlag } from './flag-statements'
import { prepareCreate } from './prepare-create'
import { type GroupFacts, readWriteFacts, selectFlagsById, selectSummaries, type UserRow } from './facts'
import type { FlagWrite, WrittenFlag } from './write-types'
import type { HeldWrite, PreparedWrite, WriteTools } from './prepared-write'
import { prepareUpdate } from './prepare-update'
import {
  confirmedRow,
  forgetFlags,
  guardRecalled,
  recallFacts,
  rememberFlag,
  rememberPolicies,
} from './recent-flags'

/** What a batch has committed. */
export interface Commit {
  /** In the order of the writes: the flag as its write left it, or why the write was rejected. */
  outcomes: (WrittenFlag | ApiError)[]
  /** The generation that the batch began; null when it changed no flag. */
  generation: number | null
}

type Plan = PreparedWrite | HeldWrite | ApiError

const isWrite = (plan: Plan | undefined): plan is PreparedWrite => plan !== undefined && 'row' in plan

const isRow = (row: PreparedWrite['row']): row is FlagRow => 'filters' in row

/**
 * Plans the writes in their order, each on the flag as the one before it leaves it, and commits them in one transaction: in one round trip
 * when all that they depend on is remembered, else in two.
 * @param writes of one project; at least one.
 * @throws errors of D1; then nothing is written. A guard fails when a flag has changed since it was read, or when one write of the group
 * changes what another relies on: they have to be committed one by one.
 */
export async function commitWrites(tools: WriteTools, writes: readonly FlagWrite[]): Promise<Commit> {
  const recalled = recallFacts(writes)
  const commit =
    (recalled && (await commitRecalled(tools, writes, recalled))) ?? (await commitRead(tools, writes))
  for (const outcome of commit.outcomes) if ('row' in outcome) rememberFlag(outcome.row)
  return commit
}

/** @returns null when the remembered facts do not hold, or when a write is rejected because of them: then nothing is written. */
async function commitRecalled(
  tools: WriteTools,
  writes: readonly FlagWrite[],
  recalled: GroupFacts,
): Promise<Commit | null> {
  const { db } = tools
  const projectId = writes[0]!.project.id
  const ids = JSON.stringify([...recalled.rows.keys()])
  const plans = await planAll(tools, writes, recalled)
  if (!plans.every(isWrite)) return null
  const planned = plans.map(({ row }) => row).filter(isRow)
  const userIds = new Set(planned.map((row) => row.last_modified_by_id))
  try {
    const results = await runBatch(db, [
      guardRecalled(db, { projectId, ids }),
      ...statementsOf(db, projectId, plans),
      selectFlagsById(db, { projectId, ids }),
      selectSummaries(db, { ids: JSON.stringify([...userIds]) }),
      bumpGeneration(db, projectId),
    ])
    const [stored, users, [bumped]] = results.slice(-3) as [FlagRow[], UserRow[], { generation: number }[]]
    const summaries = new Map(users.map(({ id, summary }) => [id, summary]))
    const rows = new Map(stored.map((row) => [row.id, row]))
    return {
      outcomes: planned.map((row, index) => ({
        row: confirmedRow(row, rows.get(row.id)!, summaries),
        rollout: plans[index]!.rollout,
      })),
      generation: bumped!.generation,
    }
  } catch (error) {
    if (!isGuardFailure(error)) throw error
    forgetFlags(recalled.rows.keys())
    return null
  }
}

async function commitRead(tools: WriteTools, writes: readonly FlagWrite[]): Promise<Commit> {
  const { db } = tools
  const projectId = writes[0]!.project.id
  const group = await readWriteFacts(db, writes)
  rememberPolicies(projectId, group.facts[0]!.policies.length > 0)
  const plans = await planAll(tools, writes, group)
  const prepared = plans.filter(isWrite)
  const statements = statementsOf(db, projectId, plans)
  if (prepared.length === 0) {
    await runBatch(db, statements)
    return { outcomes: (plans as (HeldWrite | ApiError)[]).map(rejectionOf), generation: null }
  }

  const bump = bumpGeneration(db, projectId)
  const reads = prepared.flatMap(({ row }) => (isRow(row) ? [] : [row]))
  const [{ usage } = { usage: null }, ...others] = prepared
  const results = await explainDefinitionQuota(db, others.length === 0 ? usage : null, () =>
    runBatch(db, [...statements, ...reads, bump]),
  )
  const [bumped] = results.at(-1) as Awaited<typeof bump>
  const created = results.slice(-1 - reads.length, -1) as FlagRow[][]
  return {
    outcomes: plans.map((plan) => {
      if (!isWrite(plan)) return rejectionOf(plan)
      const { row, rollout } = plan
      return { row: isRow(row) ? row : created.shift()![0]!, rollout }
    }),
    generation: bumped!.generation,
  }
}

/** The plan of each write. The rows of `group` follow. */
async function planAll(tools: WriteTools, writes: readonly FlagWrite[], group: GroupFacts): Promise<Plan[]> {
  const plans: Plan[] = []
  for (const [index, write] of writes.entries()) {
    const plan = await prepare(tools, write, index, group)
    if (isWrite(plan) && isRow(plan.row)) group.rows.set(plan.row.id, plan.row)
    plans.push(plan)
  }
  return plans
}

/**
 * What the plans write, in their order. Consecutive updates of one flag are joined: the first guards its row, the last writes it. An update
 * that takes more of the project's quota is not joined with the one before it: its check counts the rows as written so far.
 */
function statementsOf(db: Database, projectId: number, plans: readonly Plan[]): BatchItem<'sqlite'>[] {
  const isJoined = (plan: Plan | undefined, next: Plan | undefined) =>
    isWrite(plan) &&
    isWrite(next) &&
    plan.update !== null &&
    plan.update.id === next.update?.id &&
    !next.usage
  let columns: FlagColumns = {}
  return plans.flatMap((plan, index) => {
    if (!isWrite(plan)) return 'statements' in plan ? plan.statements : []
    const { usage, statements, update } = plan
    const first = usage ? [guard(db, usage.fits)] : []
    if (!update) return [...first, ...statements]
    columns = { ...columns, ...update.columns }
    const row = isJoined(plan, plans[index + 1]) ? [] : [updateFlag(db, projectId, update.id, columns)]
    if (row.length > 0) columns = {}
    return [
      ...first,
      ...(isJoined(plans[index - 1], plan) ? [] : [update.guard]),
      ...statements,
      ...row,
      ...update.after,
    ]
  })
}

const rejectionOf = (plan: HeldWrite | ApiError): ApiError => ('rejection' in plan ? plan.rejection : plan)

/** The plan of a write, or why it is rejected. */
async function prepare(
  tools: WriteTools,
  write: FlagWrite,
  index: number,
  { rows, users, facts }: GroupFacts,
): Promise<Plan> {
  const known = facts[index]!
  try {
    if (write.kind === 'create') return await prepareCreate(tools, write, known)
    const row = rows.get(write.id)
    if (!row) return notFound()
    const userId = userOf(write.actor)?.id
    return await prepareUpdate(
      tools,
      write,
      known,
      row,
      userId === undefined ? null : (users.get(userId) ?? null),
    )
  } catch (error) {
    const rejection = apiErrorIn(error)
    if (!rejection) throw error
    return rejection
  }
}
