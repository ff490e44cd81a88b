// The facts that flag writes are checked against. One round trip reads them for the writes of a batch, with the statements that their bodies
// make necessary.
import { eq, sql } from 'drizzle-orm'
import { projects } from '../../../drizzle'
import { selectCohortClosure } from '../cohorts/select-closure'
import { selectDashboards } from '../../analytics/dashboards/dashboard-rows'
import { userOf } from '../../auth/actor'
import { type UserSummary, userSummarySql } from '../../http/user-summary'
import type { Database } from '../../storage/database'
import { runWithResults } from '../../storage/run-batch'
import { type References, referencesIn } from '../filters/analysis'
import { selectKeyHolder, selectSimilarKeys } from '../keys/key-lookup'
import {
  selectDependents,
  selectExpectedTexts,
  selectExperiments,
  selectTargets,
  selectUnmetDependencies,
} from '../read/linked-objects'
import { type FlagRow, flagsByIds, selectFlags } from '../read/rows'
import { selectWaiting, type WaitingRequest } from '../approvals/approval-statements'
import { type Policy, selectEnabledPolicies } from '../approvals/enabled-policies'
import type { FlagWrite } from './write-types'

/** @returns the statements by name; null for one whose rows cannot matter */
function factStatements(db: Database, write: FlagWrite, { flagIds, cohortIds }: References) {
  const { body, project } = write
  const stored = write.kind === 'update' ? write.id : null
  const { active, deleted } = body as { active?: unknown; deleted?: unknown }
  return {
    keyHolders: body.key === undefined ? null : selectKeyHolder(db, project.id, body.key),
    dashboards: body.analytics_dashboards?.length
      ? selectDashboards(db, project.id, body.analytics_dashboards)
      : null,
    targets: flagIds.length > 0 ? selectTargets(db, project.id, flagIds) : null,
    cohorts: cohortIds.length > 0 ? selectCohortClosure(db, project.id, cohortIds) : null,
    experiments: stored !== null && deleted !== undefined ? selectExperiments(db, stored) : null,
    dependents:
      stored !== null && (active !== undefined || deleted !== undefined)
        ? selectDependents(db, project.id, stored)
        : null,
    expectedTexts:
      stored !== null && body.filters !== undefined ? selectExpectedTexts(db, project.id, stored) : null,
    unmetDependencies:
      stored !== null && (active !== undefined || deleted !== undefined)
        ? selectUnmetDependencies(db, stored)
        : null,
    similarKeys: stored !== null && deleted !== undefined ? selectSimilarKeys(db, project.id, stored) : null,
  }
}

type FactStatements = ReturnType<typeof factStatements>

/** The rows of each statement. They are empty for a statement that was not sent. */
type FactRows = { [Name in keyof FactStatements]: Awaited<NonNullable<FactStatements[Name]>> }

export interface WriteFacts extends FactRows {
  /** The references of the filters as sent. */
  references: References
  /** The facts that all writes of the batch share. */
  shared: SharedFacts
}

/** Totals of a project's flags that are not deleted. Triggers count them. */
export interface Totals {
  flags: number
  /** Bytes of the flags' definitions. */
  bytes: number
}

/** Facts of all writes of a batch. Each plan changes the rows, totals and waiting requests to what its write leaves. */
export interface SharedFacts {
  /** The generation at which all facts were read. */
  generation: number
  /** The flags that the batch updates, by id. */
  rows: Map<number, FlagRow>
  /** Summaries of the users who send updates, by id. */
  users: Map<number, UserSummary | null>
  totals: Totals
  /** The maximum of live flags in the project. */
  maxFlags: number
  /** Whether flags of the project need evaluation contexts. */
  requiresContexts: boolean
  policies: readonly Policy[]
  /** The change requests of the project that wait. */
  waiting: WaitingRequest[]
}

const selectProjectFacts = (db: Database, projectId: number) =>
  db
    .select({
      generation: projects.flagsGeneration,
      flags: projects.liveFlagCount,
      bytes: projects.definitionBytes,
      requiresContexts: projects.requireEvaluationContexts,
    })
    .from(projects)
    .where(eq(projects.id, projectId))

const selectSummaries = (db: Database, userIds: readonly number[]) =>
  db
    .select({ id: sql<number>`writer.value`.as('id'), summary: userSummarySql('writer.value').as('summary') })
    .from(sql`json_each(${JSON.stringify(userIds)}) writer`)

/**
 * @param writes of one project
 * @returns the facts of each write, in the order of the writes; null when there is no such project
 */
export async function readWriteFacts(
  db: Database,
  writes: readonly FlagWrite[],
  maxFlags: number,
): Promise<WriteFacts[] | null> {
  const projectId = writes[0]!.project.id
  const updates = writes.filter((write) => write.kind === 'update')
  const flagIds = updates.map(({ id }) => id)
  const now = new Date(Math.min(...writes.map((write) => write.now)))
  const userIds = [...new Set(updates.flatMap(({ actor }) => userOf(actor)?.id ?? []))]
  const references = writes.map(({ body }) => referencesIn(body.filters))
  const named = writes.map((write, index) => factStatements(db, write, references[index]!))
  const flags = selectFlags(db, flagsByIds(projectId, flagIds))
  const users = selectSummaries(db, userIds)
  const policies = selectEnabledPolicies(db, projectId)
  const waiting = selectWaiting(db, projectId, now)
  const projectFacts = selectProjectFacts(db, projectId)
  const resultOf = await runWithResults(db, [
    flags,
    users,
    policies,
    waiting,
    projectFacts,
    ...named.flatMap((statements) => Object.values(statements).filter((each) => each !== null)),
  ])
  const [project] = resultOf(projectFacts)
  if (!project) return null
  const shared: SharedFacts = {
    generation: project.generation,
    rows: new Map(resultOf(flags).map((row) => [row.id, row])),
    users: new Map(resultOf(users).map(({ id, summary }) => [id, summary])),
    totals: { flags: project.flags, bytes: project.bytes },
    maxFlags,
    requiresContexts: project.requiresContexts,
    policies: resultOf(policies),
    waiting: resultOf(waiting),
  }
  return named.map((statements, index) => {
    const found = Object.fromEntries(
      Object.entries(statements).map(([name, statement]) => [
        name,
        statement ? resultOf<unknown>(statement) : [],
      ]),
    ) as FactRows
    return { ...found, references: references[index]!, shared }
  })
}
