// Ends a build. It creates the indexes in the shard first. Then one batch in the main database makes runs read the new table.
import { eq, sql } from 'drizzle-orm'
import { endpointMaterializations } from '../../../../drizzle'
import { guard } from '../../../storage/database'
import { runBatch } from '../../../storage/run-batch'
import { toStoredTimestamp } from '../../../timestamps'
import { NO_BUILD, refreshAfter, retrySeconds } from '../lifecycle-statements'
import { indexStatements, tableName } from '../tables'
import { rowsIn } from './append-rows'
import type { BegunBuild } from './begin-build'
import { holdsLeaseSql } from './lease'
import type { Build } from './build-work'

/**
 * Publishes the rows. The minute's trigger drops the previous table. A run that wanted to read it executes its query.
 * @returns whether the version was changed during the build and is due again
 * @throws a guard failure when the lease was lost
 */
export async function completeBuild(build: Build, begun: BegunBuild): Promise<boolean> {
  const { deps, shard, materialization } = build
  const { building, indexed, plan, startedAt } = begun
  const { db, clock } = deps
  const { id, versionId } = materialization
  const table = tableName({ id, generation: building })
  const indexes = indexStatements(table, indexed).map((statement) => shard.prepare(statement))
  if (indexes.length > 0) await shard.batch(indexes)
  const rowCount = await rowsIn(shard, table)
  const now = clock.now()
  const isLatest = sql`revision = ${begun.revision}`
  const [, updated] = await runBatch(db, [
    guard(db, holdsLeaseSql(build)),
    db
      .update(endpointMaterializations)
      .set({
        ...NO_BUILD,
        status: sql`CASE WHEN ${isLatest} THEN 'Completed' ELSE 'Modified' END`,
        error: '',
        failures: 0,
        lastRunAt: toStoredTimestamp(now),
        // The version may have become due after the build started. The later of both times is kept.
        nextBuildAt: sql`CASE WHEN NOT ${isLatest} OR next_build_at > ${startedAt} THEN next_build_at
          ELSE ${refreshAfter(startedAt)} END`,
        generation: building,
        plan,
        lastMaterializedAt: startedAt,
        rowCount,
      })
      .where(eq(endpointMaterializations.versionId, versionId))
      .returning({ revision: endpointMaterializations.revision }),
  ])
  const [row] = updated as { revision: number }[]
  return row!.revision !== begun.revision
}

export interface BuildFailure {
  /** The message for the query's author. */
  message: string
  /** Whether the version is built again only after a change or a new request. */
  isPaused: boolean
}

/** Ends a build that failed. Runs keep reading the previous rows. */
export async function failBuild(build: Build, { message, isPaused }: BuildFailure): Promise<void> {
  const { deps, materialization, version } = build
  const { db, clock } = deps
  const { versionId, revision, failures } = materialization
  const now = clock.now()
  const retryAt = new Date(now.getTime() + retrySeconds(failures, version.dataFreshnessSeconds) * 1000)
  const next = isPaused ? null : toStoredTimestamp(retryAt)
  await runBatch(db, [
    guard(db, holdsLeaseSql(build)),
    db
      .update(endpointMaterializations)
      .set({
        ...NO_BUILD,
        status: 'Failed',
        error: message,
        failures: sql`failures + 1`,
        lastRunAt: toStoredTimestamp(now),
        nextBuildAt: sql`CASE WHEN revision = ${revision} THEN ${next} ELSE next_build_at END`,
      })
      .where(eq(endpointMaterializations.versionId, versionId)),
  ])
}
