// Begins a build. The query is compiled each time, so that relative dates advance. The main database is written first: a table that it does
// not name is dropped.
import { and, eq, sql } from 'drizzle-orm'
import { endpointMaterializations } from '../../../../drizzle'
import { dialectOf } from '../../../analytics/engine/select-engine'
import { guard } from '../../../storage/database'
import { isOpenToBulk, maxBytesOf, sizeOf } from '../../../storage/database-size'
import { runBatch } from '../../../storage/run-batch'
import { toStoredTimestamp } from '../../../timestamps'
import { COMPILER_VERSION } from '../../compile/compiled-version'
import { compileMaterialization } from '../compile-materialization'
import type { CompiledQuery } from '../../../hogql/compiled'
import { NO_BUILD } from '../lifecycle-statements'
import type { CompiledRead } from '../compiled-read'
import { createTable, MAX_COLUMNS, tableName } from '../tables'
import { leased } from './lease'
import { NotBuildable } from './quota'
import type { Build, StoredMaterialization } from './build-work'

/** A build in progress. */
export interface BegunBuild {
  /** The number of the table. */
  building: number
  /** The revision of the version's settings. */
  revision: number
  /** The time of all rows, however long the build takes. */
  startedAt: string
  write: CompiledQuery
  /** The number of columns. */
  columns: number
  /** Indexes of the columns that get an index. */
  indexed: number[]
  plan: CompiledRead
}

/**
 * Begins a build with a table of its own. That of a build that died is unused from then on.
 * @throws NotBuildable for a query that cannot be materialized; a guard failure when the version was changed concurrently
 */
export async function beginBuild(build: Build): Promise<BegunBuild> {
  const begun = await startBuild(build)
  await createBuildTable(build, begun)
  return begun
}

async function createBuildTable(
  { shard, deps, materialization }: Build,
  { building, columns }: BegunBuild,
): Promise<void> {
  const { id, projectId, versionId } = materialization
  const name = tableName({ id, generation: building })
  await shard.batch([
    shard.prepare(createTable(name, columns)),
    shard
      .prepare(
        `INSERT INTO materialized_tables (name, project_id, version_id, created_at) VALUES (?1, ?2, ?3, ?4)
          ON CONFLICT DO NOTHING`,
      )
      .bind(name, projectId, versionId, toStoredTimestamp(deps.clock.now())),
  ])
}

async function startBuild(build: Build): Promise<BegunBuild> {
  const { deps, token, materialization, version, shard } = build
  await requireSpace(shard, maxBytesOf(deps.env))
  const { versionId, projectId, generations, revision } = materialization
  const { timezone, store } = version
  const project = { id: projectId, timezone, store }
  const compiled = await compileMaterialization({ deps, project, dialect: dialectOf(project.store) }, version)
  if (compiled.reason !== null) throw new NotBuildable(compiled.reason)
  const { write, read, columns, indexed, required, inlineWhenEmpty } = compiled.rows
  if (columns.length > MAX_COLUMNS) {
    throw new NotBuildable(
      `The result has more than ${MAX_COLUMNS} columns, those of its variables among them.`,
    )
  }
  const now = deps.clock.now()
  const building = generations + 1
  await runBatch(deps.db, [
    guard(deps.db, isUnchanged(materialization)),
    deps.db
      .update(endpointMaterializations)
      .set({ ...NO_BUILD, status: 'Running', building, generations: building, ...leased(token, now) })
      .where(eq(endpointMaterializations.versionId, versionId)),
  ])
  return {
    building,
    revision,
    startedAt: toStoredTimestamp(now),
    write,
    columns: columns.length,
    indexed,
    plan: { compiler: COMPILER_VERSION, timezone, required, inlineWhenEmpty, read },
  }
}

/**
 * Keeps the last space of a shard for events. Builds in progress continue: they drop the previous table at the end.
 * @throws NotBuildable
 */
async function requireSpace(shard: D1Database, maxBytes: number): Promise<void> {
  if (isOpenToBulk(await sizeOf(shard), maxBytes)) return
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
