// The end of a build: its table takes the place of the one before it, in one transaction, or it leaves nothing behind.
import { and, eq, sql } from 'drizzle-orm'
import { endpointMaterializations } from '../../../../drizzle'
import { guard } from '../../../storage/database'
import { stored } from '../../../timestamps'
import { countRows, dropTable, indexStatements, tableName } from '../tables'
import type { Begun } from './begin'
import { isMine } from './lease'
import { refreshAfter, retrySeconds } from './schedule'
import { type Build, runMixed } from './work'

const NOTHING_UNDER_WAY = { building: null, buildPlan: null, buildToken: null, buildUntil: null }

/**
 * Lets runs read the rows of a finished build, and drops those they read before.
 * @returns whether something else was asked for while it went on: then it is due again.
 * @throws a guard's failure when the build lost the version.
 */
export async function completeBuild(build: Build, { building, plan }: Begun): Promise<boolean> {
  const { deps, materialization } = build
  const { id, versionId, generation } = materialization
  const table = tableName({ id, generation: building })
  const isLatest = sql`revision = ${plan.revision}`
  const results = await runMixed(deps, [
    guard(deps.db, isMine(build)),
    ...indexStatements(table, plan.indexed).map((statement) => deps.d1.prepare(statement)),
    deps.db
      .update(endpointMaterializations)
      .set({
        ...NOTHING_UNDER_WAY,
        status: sql`CASE WHEN ${isLatest} THEN 'Completed' ELSE 'Modified' END`,
        error: '',
        failures: 0,
        lastRunAt: stored(deps.clock.now()),
        nextBuildAt: sql`CASE WHEN ${isLatest} THEN ${refreshAfter(plan.startedAt)} ELSE next_build_at END`,
        generation: building,
        plan: plan.plan,
        lastMaterializedAt: plan.startedAt,
        rowCount: sql.raw(countRows(table)),
      })
      .where(eq(endpointMaterializations.versionId, versionId))
      .returning({ revision: endpointMaterializations.revision }),
    ...(generation === null ? [] : [deps.d1.prepare(dropTable(tableName({ id, generation })))]),
  ])
  const updated = results.findLast(({ results: rows }) => rows?.length) as D1Result<{ revision: number }>
  return updated.results[0]!.revision !== plan.revision
}

/**
 * Ends a build that cannot go on. What runs read stays as it is.
 * @param error in words for the query's author.
 */
export async function failBuild(build: Build, error: string): Promise<void> {
  const { deps, token, materialization, version } = build
  const { versionId, id, revision, failures } = materialization
  const now = deps.clock.now()
  const [row] = await deps.db
    .select({
      building: endpointMaterializations.building,
      buildToken: endpointMaterializations.buildToken,
    })
    .from(endpointMaterializations)
    .where(eq(endpointMaterializations.versionId, versionId))
  // A failed plan has no table yet; one of another build is none of this one's.
  const own = row?.building !== null && row?.buildToken === token ? row.building! : null
  const wait = retrySeconds(failures, version.dataFreshnessSeconds)
  await runMixed(deps, [
    guard(
      deps.db,
      sql`EXISTS (SELECT 1 FROM endpoint_materializations WHERE ${and(
        eq(endpointMaterializations.versionId, versionId),
        own === null ? eq(endpointMaterializations.revision, revision) : sql`build_token = ${token}`,
      )})`,
    ),
    deps.db
      .update(endpointMaterializations)
      .set({
        ...(own === null ? { buildUntil: null } : NOTHING_UNDER_WAY),
        status: 'Failed',
        error,
        failures: sql`failures + 1`,
        lastRunAt: stored(now),
        nextBuildAt: sql`CASE WHEN revision = ${revision} THEN ${stored(new Date(now.getTime() + wait * 1000))} ELSE next_build_at END`,
      })
      .where(eq(endpointMaterializations.versionId, versionId)),
    ...(own === null ? [] : [deps.d1.prepare(dropTable(tableName({ id, generation: own })))]),
  ])
}
