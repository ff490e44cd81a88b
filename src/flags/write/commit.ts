// Commits writes of one project's flags: one round trip reads all facts, and one batch writes everything that the writes change.
import { apiErrorIn, notFound } from '../../errors'
import { userOf } from '../../auth/actor'
import { bumpGeneration, guardFence } from '../../storage/flags-generation'
import { runBatch } from '../../storage/run-batch'
import type { FlagRow } from '../read/rows'
import { prepareCreate } from './prepare-create'
import { type GroupFacts, readWriteFacts, type WriteFacts } from './facts'
import type { FlagWrite, WrittenFlag } from './write-types'
import type { HeldWrite, PreparedWrite, WriteTools } from './prepared-write'
import { prepareUpdate } from './prepare-update'

export interface Commit {
  /** For each write, the flag as its write left it, or why the write was rejected or could not be planned. */
  outcomes: (WrittenFlag | Error)[]
  /** The generation that the batch began, or null when it changed no flag. */
  generation: number | null
}

type Plan = PreparedWrite | HeldWrite | Error

const isWrite = (plan: Plan | undefined): plan is PreparedWrite => plan !== undefined && 'row' in plan

const isRow = (row: PreparedWrite['row']): row is FlagRow => 'filters' in row

/**
 * Plans the writes in their order, each on the flag as the one before leaves it, and commits them in one transaction.
 * @param writes of one project; at least one. `groupLength` says which may be committed together.
 * @throws errors of D1; then nothing is written. The fence fails when anything that the rules depend on has changed since it was read.
 */
export async function commitWrites(tools: WriteTools, writes: readonly FlagWrite[]): Promise<Commit> {
  const { db } = tools
  const projectId = writes[0]!.project.id
  const group = await readWriteFacts(db, writes, tools.maxFlags)
  if (!group) return { outcomes: writes.map(() => notFound()), generation: null }
  const plans = await planAll(tools, writes, group)
  const prepared = plans.filter(isWrite)
  const planned = plans.flatMap((plan) => ('statements' in plan ? plan.statements : []))
  const statements = planned.length === 0 ? [] : [guardFence(db, projectId, group.generation), ...planned]
  if (prepared.length === 0) {
    await runBatch(db, statements)
    return { outcomes: (plans as (HeldWrite | Error)[]).map(rejectionOf), generation: null }
  }

  const bump = bumpGeneration(db, projectId)
  const reads = prepared.flatMap(({ row }) => (isRow(row) ? [] : [row]))
  const results = await runBatch(db, [...statements, ...reads, bump])
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

/** Plans each write on the flags as the one before leaves them, and updates the rows of `group`. */
async function planAll(tools: WriteTools, writes: readonly FlagWrite[], group: GroupFacts): Promise<Plan[]> {
  const plans: Plan[] = []
  let { totals } = group.facts[0]!
  for (const [index, write] of writes.entries()) {
    const plan = await prepare(tools, write, { ...group.facts[index]!, totals }, group)
    plans.push(plan)
    if (!isWrite(plan)) continue
    const { added, row } = plan
    totals = { flags: totals.flags + added.flags, bytes: totals.bytes + added.bytes }
    if (isRow(row)) group.rows.set(row.id, row)
  }
  return plans
}

const rejectionOf = (plan: HeldWrite | Error): Error => ('rejection' in plan ? plan.rejection : plan)

/** Returns the plan of a write, or the error that rejects it, so that the others of its group are still committed. */
async function prepare(
  tools: WriteTools,
  write: FlagWrite,
  facts: WriteFacts,
  { rows, users }: GroupFacts,
): Promise<Plan> {
  try {
    if (write.kind === 'create') return await prepareCreate(tools, write, facts)
    const row = rows.get(write.id)
    if (!row) return notFound()
    const userId = userOf(write.actor)?.id
    return await prepareUpdate(
      tools,
      write,
      facts,
      row,
      userId === undefined ? null : (users.get(userId) ?? null),
    )
  } catch (error) {
    return apiErrorIn(error) ?? (error as Error)
  }
}
