// The end of a build: its table takes the place of the one before, or nothing of it stays.
//
// Indexes first, in the shard; then the main database lets runs read the new table, in one batch with the task that drops the old one. A
// crash in between leaves a table that is finished but not read: the next consumer takes the build over and finishes it.
import { and, eq, sql } from 'drizzle-orm'
import { endpointMaterializations } from '../../../../drizzle'
import { guard } from '../../../storage/database'
import { runBatch } from '../../../storage/run-batch'
import { stored } from '../../../timestamps'
import { dropTables, refreshAfter, retrySeconds } from '../lifecycle-statements'
import { indexStatements, tableName } from '../tables'
import { rowsIn } from './append-rows'
import type { Begun } from './begin-build'
import { isMine } from './lease'
import type { Build } from './build-work'

const NOTHING_UNDER_WAY = { building: null, buildPlan: null, buildToken: null, buildUntil: null }

/**
 * Lets runs read the rows of a finished build. The rows that they read before are dropped a minute later: a run may be reading them.
 * @returns whether the version was changed meanwhile: then it is due again.
 * @throws a guard's failure when the build lost the version.
 */
export async function completeBuild(build: Build, { building, plan }: Begun): Promise<boolean> {
  const { deps, shard, materialization } = build
  const { db, clock } = deps
  const { id, versionId, projectId, generation } = materialization
  const table = tableName({ id, generation: building })
  const indexes = indexStatements(table, plan.indexed).map((statement) => shard.prepare(statement))
  if (indexes.length > 0) await shard.batch(indexes)
  const rowCount = await rowsIn(shard, table)
  const now = clock.now()
  const isLatest = sql`revision = ${plan.revision}`
  const [, updated] = await runBatch(db, [
    guard(db, isMine(build)),
    db
      .update(endpointMaterializations)
      .set({
        ...NOTHING_UNDER_WAY,
        status: sql`CASE WHEN ${isLatest} THEN 'Completed' ELSE 'Modified' END`,
        error: '',
        failures: 0,
        lastRunAt: stored(now),
        nextBuildAt: sql`CASE WHEN ${isLatest} THEN ${refreshAfter(plan.startedAt)} ELSE next_build_at END`,
        generation: building,
        plan: plan.plan,
        lastMaterializedAt: plan.startedAt,
        rowCount,
      })
      .where(eq(endpointMaterializations.versionId, versionId))
      .returning({ revision: endpointMaterializations.revision }),
    ...dropTables(deps, now, projectId, { id, generation, building: null }),
  ])
  const [row] = updated as { revision: number }[]
  return row!.revision !== plan.revision
}

/** Why a build failed. */
export interface BuildFailure {
  /** For the query's author. */
  message: string
  /** Whether the version is not built again until somebody asks for it. */
  isPaused: boolean
}

/** Ends a build that failed. What runs read stays as it is. */
export async function failBuild(build: Build, { message, isPaused }: BuildFailure): Promise<void> {
  const { deps, token, materialization, version } = build
  const { db, clock } = deps
  const { versionId, projectId, id, revision, failures } = materialization
  const now = clock.now()
  const [row] = await db
    .select({
      building: endpointMaterializations.building,
      buildToken: endpointMaterializations.buildToken,
    })
    .from(endpointMaterializations)
    .where(eq(endpointMaterializations.versionId, versionId))
  // A build that failed in its plan has no table yet, and that of another build is not its to drop.
  const own = row?.building !== null && row?.buildToken === token ? row.building! : null
  const retryAt = new Date(now.getTime() + retrySeconds(failures, version.dataFreshnessSeconds) * 1000)
  const next = isPaused ? null : stored(retryAt)
  await runBatch(db, [
    guard(
      db,
      sql`EXISTS (SELECT 1 FROM endpoint_materializations WHERE ${and(
        eq(endpointMaterializations.versionId, versionId),
        own === null ? eq(endpointMaterializations.revision, revision) : sql`build_token = ${token}`,
      )})`,
    ),
    db
      .update(endpointMaterializations)
      .set({
        ...(own === null ? { buildUntil: null } : NOTHING_UNDER_WAY),
        status: 'Failed',
        error: message,
        failures: sql`failures + 1`,
        lastRunAt: stored(now),
        nextBuildAt: sql`CASE WHEN revision = ${revision} THEN ${next} ELSE next_build_at END`,
      })
      .where(eq(endpointMaterializations.versionId, versionId)),
    ...dropTables(deps, now, projectId, { id, generation: null, building: own }),
  ])
}
