// Commits writes of one project's flags: one round trip reads all facts, and one batch writes everything that the writes change.
import { type ApiError, apiErrorIn, notFound } from '../../errors'
import { isGuardFailure } from '../../storage/database'
import { bumpGeneration, guardFence } from '../../storage/flags-generation'
import { runWithResults } from '../../storage/run-batch'
import { requestChanged } from '../approvals/approval-statements'
import type { FlagRow } from '../read/rows'
import { runConflict } from '../scheduled/run-statements'
import { prepareCreate } from './prepare-create'
import { readWriteFacts, type WriteFacts } from './facts'
import type { FlagWrite, WrittenFlag } from './write-types'
import type { HeldWrite, PreparedWrite, WriteTools } from './prepared-write'
import { prepareUpdate } from './prepare-update'

export interface CommitResult {
  /** For each write, the flag as its write left it, or why the write was rejected or could not be planned. */
  outcomes: (WrittenFlag | Error)[]
  /** The generation that the batch began, or null when it changed no flag. */
  generation: number | null
}

type Prepared = PreparedWrite | HeldWrite | Error

const isPreparedWrite = (write: Prepared): write is PreparedWrite => 'row' in write

const isRow = (row: PreparedWrite['row']): row is FlagRow => 'filters' in row

/**
 * Plans the writes in their order, each on the flag as the one before leaves it, and commits them in one transaction.
 * @param writes of one project; at least one. `batchLength` says which may be committed together.
 * @throws errors of D1. After a rejection nothing is written; after an outage the batch may be committed. The fence fails when anything that the rules depend on has changed since it was read.
 */
export async function commitWrites(tools: WriteTools, writes: readonly FlagWrite[]): Promise<CommitResult> {
  const { db } = tools
  const projectId = writes[0]!.project.id
  const facts = await readWriteFacts(db, writes, tools.maxFlags)
  if (!facts) return { outcomes: writes.map(() => notFound()), generation: null }
  const prepared = await prepareAll(tools, writes, facts)
  const changes = prepared.filter(isPreparedWrite)
  const statements = prepared.flatMap((each) => ('statements' in each ? each.statements : []))
  const fence = statements.length > 0 ? [guardFence(db, projectId, facts[0]!.shared.generation)] : []
  const reads = changes.flatMap(({ row }) => (isRow(row) ? [] : [row]))
  const bump = bumpGeneration(db, projectId)
  const batch = [...fence, ...statements, ...reads, ...(changes.length > 0 ? [bump] : [])]
  const resultOf = await runWithResults(db, batch).catch((error: unknown) => {
    throw (isGuardFailure(error) && conflictOf(writes[0]!)) || error
  })
  return {
    outcomes: prepared.map((each) => {
      if (!isPreparedWrite(each)) return 'rejection' in each ? each.rejection : each
      const { row, rollout } = each
      return { row: isRow(row) ? row : resultOf(row)[0]!, rollout }
    }),
    generation: changes.length > 0 ? resultOf(bump)[0]!.generation : null,
  }
}

/** Returns the error of a run or an approval, which are alone in their batch, when a guard fails: its caller reads again, and decides. */
const conflictOf = ({ run, approval }: FlagWrite): ApiError | null =>
  run ? runConflict() : approval ? requestChanged() : null

/** Plans each write on the state that the one before leaves, and updates the facts that they share. */
async function prepareAll(
  tools: WriteTools,
  writes: readonly FlagWrite[],
  facts: readonly WriteFacts[],
): Promise<Prepared[]> {
  const prepared: Prepared[] = []
  for (const [index, write] of writes.entries()) {
    const { shared } = facts[index]!
    const result = await prepare(tools, write, facts[index]!)
    prepared.push(result)
    if (!isPreparedWrite(result)) continue
    const { added, row } = result
    shared.totals = { flags: shared.totals.flags + added.flags, bytes: shared.totals.bytes + added.bytes }
    if (isRow(row)) shared.rows.set(row.id, row)
  }
  return prepared
}

/** Returns a prepared write, or the error that rejects it, so that the others of its batch are still committed. */
async function prepare(tools: WriteTools, write: FlagWrite, facts: WriteFacts): Promise<Prepared> {
  try {
    return await (write.kind === 'create'
      ? prepareCreate(tools, write, facts)
      : prepareUpdate(tools, write, facts))
  } catch (error) {
    return apiErrorIn(error) ?? (error as Error)
  }
}
