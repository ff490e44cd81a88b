// What a materialization costs: an estimate of its builds, what is left of the quotas, and what the last build took.
import { eq } from 'drizzle-orm'
import { endpointMaterializations } from '../../../drizzle'
import { statementRunner } from '../../analytics/engine/admission'
import { estimateQuery } from '../../analytics/engine/estimate'
import { shardAccess } from '../../analytics/engine/select-engine'
import type { CompiledQuery } from '../../hogql/compiled'
import { openShard, SHARD_DEADLINE_MS } from '../../storage/shards'
import type { EndpointContext } from '../context'
import type { EndpointRow } from '../endpoint-rows'
import type { BuildCost } from './preview-schema'
import { buildValues } from './build-values'
import { bytesLeft, QUOTA } from './build/quota'
import { tableName } from './tables'

const DAY_SECONDS = 86_400

export async function costOfBuilds(
  context: Pick<EndpointContext, 'deps' | 'project'>,
  row: EndpointRow,
  write: CompiledQuery,
): Promise<BuildCost> {
  const { deps, project } = context
  const { d1: shard } = openShard(deps.env, project.store.shard, deps.eventsMeter)
  const [estimated, left, last] = await Promise.all([
    estimateBuild(context, row, write),
    bytesLeft({ ...deps, shard }, QUOTA, {
      organizationId: project.organizationId,
      versionId: row.versionId,
    }),
    lastBuild(context, row, shard),
  ])
  return {
    ...estimated,
    builds_per_day: DAY_SECONDS / row.dataFreshnessSeconds,
    rows_left: QUOTA.rows,
    bytes_left: left.bytes,
    last_build: last,
  }
}

/** Estimates upper bounds of a build. There is no estimate for ClickHouse. */
async function estimateBuild(
  { deps, project }: Pick<EndpointContext, 'deps' | 'project'>,
  { query }: Pick<EndpointRow, 'query'>,
  write: CompiledQuery,
): Promise<Pick<BuildCost, 'rows_read' | 'seconds'>> {
  const formulas = write.cost
  if (!formulas) return { rows_read: null, seconds: null }
  const now = deps.clock.now()
  const { timezone } = project
  const run = {
    projectId: project.id,
    timezone,
    now,
    variables: buildValues(query, write, { timezone, now }),
    limit: QUOTA.rows,
    offset: write.page.offset,
    queryId: null,
  }
  const runStatements = statementRunner(shardAccess(deps, project), SHARD_DEADLINE_MS)
  const { cost, known } = await estimateQuery(runStatements, write, formulas, run)
  const rows = formulas.statistics.map((_, index) => known.statistic(index, 'rows'))
  return {
    rows_read: Math.ceil(rows.reduce((sum, each) => sum + each, 0)),
    seconds: Math.ceil(cost.nanoseconds / 1e6) / 1e3,
  }
}

async function lastBuild(
  { deps: { db } }: Pick<EndpointContext, 'deps'>,
  { versionId }: Pick<EndpointRow, 'versionId'>,
  shard: D1Database,
): Promise<BuildCost['last_build']> {
  const [stored] = await db
    .select({
      id: endpointMaterializations.id,
      generation: endpointMaterializations.generation,
      status: endpointMaterializations.status,
      rows: endpointMaterializations.rowCount,
      startedAt: endpointMaterializations.lastMaterializedAt,
      endedAt: endpointMaterializations.lastRunAt,
    })
    .from(endpointMaterializations)
    .where(eq(endpointMaterializations.versionId, versionId))
  if (!stored || stored.status !== 'Completed') return null
  const { id, generation, rows, startedAt, endedAt } = stored
  if (generation === null || rows === null || startedAt === null || endedAt === null) return null
  const bytes = await shard
    .prepare('SELECT bytes FROM materialized_tables WHERE name = ?1')
    .bind(tableName({ id, generation }))
    .first<number>('bytes')
  const seconds = (Date.parse(endedAt) - Date.parse(startedAt)) / 1_000
  return { rows, bytes: bytes ?? 0, seconds }
}
