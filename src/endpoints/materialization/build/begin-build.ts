// Begins a build. The plan is computed each time, so that relative dates advance. The main database is written first: it names the table, so
// that another consumer can take over a build that died before creating it.
import { and, eq, sql } from 'drizzle-orm'
import { endpointMaterializations } from '../../../../drizzle'
import { dialectOf } from '../../../analytics/engine/select-engine'
import { guard } from '../../../storage/database'
import { isOpenToBuilds, maxBytesOf, sizeOf } from '../../../storage/database-size'
import { runBatch } from '../../../storage/run-batch'
import { toStoredTimestamp } from '../../../timestamps'
import { COMPILER_VERSION } from '../../compile/compiled-version'
import { planMaterialization } from '../plan-materialization'
import type { WritePlan } from '../stored-plan'
import { createTable, MAX_COLUMNS, tableName } from '../tables'
import { leased } from './lease'
import { NotBuildable } from './quota'
import type { Build, StoredMaterialization } from './build-work'

/** An abandoned build that is older than this begins again, because its rows would be stale. */
const MAX_BUILD_MS = 60 * 60_000

export interface BegunBuild {
  /** The number of the table. */
  building: number
  plan: WritePlan
}

/**
 * Takes over an abandoned build, or begins one.
 * @throws NotBuildable for a query that cannot be materialized; a guard failure when the version was changed concurrently
 */
export async function beginBuild(build: Build): Promise<BegunBuild> {
  const begun = (await takeOver(build)) ?? (await startBuild(build))
  await createBuildTable(build, begun)
  return begun
}

async function createBuildTable(
  { shard, deps, materialization }: Build,
  { building, plan }: BegunBuild,
): Promise<void> {
  const { id, projectId, versionId } = materialization
  const name = tableName({ id, generation: building })
  await shard.batch([
    shard.prepare(createTable(name, plan.columns)),
    shard
      .prepare(
        `INSERT INTO materialized_tables (name, project_id, version_id, created_at) VALUES (?1, ?2, ?3, ?4)
          ON CONFLICT DO NOTHING`,
      )
      .bind(name, projectId, versionId, toStoredTimestamp(deps.clock.now())),
  ])
}

/** Returns null when there is no abandoned build, or its plan is obsolete. */
async function takeOver({ deps, token, materialization }: Build): Promise<BegunBuild | null> {
  const { building, buildPlan: plan, versionId, revision } = materialization
  const now = deps.clock.now()
  if (building === null || plan === null) return null
  const isUsable =
    plan.revision === revision &&
    plan.plan.compiler === COMPILER_VERSION &&
    plan.write.dialect === 'sqlite' &&
    now.getTime() - Date.parse(plan.startedAt) < MAX_BUILD_MS
  if (!isUsable) return null
  await runBatch(deps.db, [
    guard(deps.db, isUnchanged(materialization)),
    deps.db
      .update(endpointMaterializations)
      .set(leased(token, now))
      .where(eq(endpointMaterializations.versionId, versionId)),
  ])
  return { building, plan }
}

async function startBuild(build: Build): Promise<BegunBuild> {
  const { deps, token, materialization, version, shard } = build
  await requireSpace(shard, maxBytesOf(deps.env))
  const { versionId, projectId, generations, revision } = materialization
  const { timezone, store } = version
  const project = { id: projectId, timezone, store }
  const planned = await planMaterialization({ deps, project, dialect: dialectOf(project.store) }, version)
  if (planned.reason !== null) throw new NotBuildable(planned.reason)
  const { write, read, columns, indexed, required, inlineWhenEmpty } = planned.plan
  if (columns.length > MAX_COLUMNS) {
    throw new NotBuildable(
      `The result has more than ${MAX_COLUMNS} columns, those of its variables among them.`,
    )
  }
  const now = deps.clock.now()
  const building = generations + 1
  const plan: WritePlan = {
    revision,
    startedAt: toStoredTimestamp(now),
    write,
    columns: columns.length,
    indexed,
    plan: { compiler: COMPILER_VERSION, timezone: version.timezone, required, inlineWhenEmpty, read },
  }
  await runBatch(deps.db, [
    guard(deps.db, isUnchanged(materialization)),
    deps.db
      .update(endpointMaterializations)
      .set({
        status: 'Running',
        building,
        generations: building,
        buildPlan: plan,
        ...leased(token, now),
      })
      .where(eq(endpointMaterializations.versionId, versionId)),
  ])
  return { building, plan }
}

/**
 * Keeps the last space of a shard for events. Builds in progress continue: they drop the previous table at the end.
 * @throws NotBuildable
 */
async function requireSpace(shard: D1Database, maxBytes: number): Promise<void> {
  if (isOpenToBuilds(await sizeOf(shard), maxBytes)) return
  throw new NotBuildable(
    'The analytics shard is full: no rows are materialized until its operator frees space or adds a shard.',
  )
}

/** Write guard: the materialization was not changed since it was read. */
const isUnchanged = ({ versionId, revision, generations, buildToken }: StoredMaterialization) =>
  sql`EXISTS (SELECT 1 FROM endpoint_materializations WHERE ${and(
    eq(endpointMaterializations.versionId, versionId),
    eq(endpointMaterializations.revision, revision),
    eq(endpointMaterializations.generations, generations),
    sql`build_token IS ${buildToken}`,
  )})`
