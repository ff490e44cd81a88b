// Beginning a build: its plan is made anew from the version, so that relative dates move on, and an empty table is made for its rows.
import { and, eq, sql } from 'drizzle-orm'
import { endpointMaterializations } from '../../../../drizzle'
import { engineOf } from '../../../analytics/engine'
import { guard } from '../../../storage/database'
import { stored } from '../../../timestamps'
import { COMPILER_VERSION } from '../../compiled-version'
import { planMaterialization } from '../plan'
import type { WritePlan } from '../stored-plan'
import { createTable, dropTable, MOST_COLUMNS, tableName } from '../tables'
import { leased } from './lease'
import { type Build, NotBuildable, runMixed, type StoredMaterialization } from './work'

/** A build that is given up on after this long is begun again: its rows would be of a time that is long gone. */
const LONGEST_MS = 60 * 60_000

/** The build that was begun, as far as it is known. */
export interface Begun {
  /** Number of the table. */
  building: number
  plan: WritePlan
}

/**
 * Goes on with a build whose consumer died, or begins one.
 * @throws NotBuildable for a query that cannot be materialized; a guard's failure when the version was changed meanwhile.
 */
export async function beginBuild(build: Build): Promise<Begun> {
  return (await takeOver(build)) ?? (await beginAnew(build))
}

/** The build that another consumer left behind, if it is worth going on with. */
async function takeOver({ deps, token, materialization }: Build): Promise<Begun | null> {
  const { building, buildPlan: plan, versionId, revision } = materialization
  const now = deps.clock.now()
  if (building === null || plan === null) return null
  const isUsable =
    plan.revision === revision &&
    plan.plan.compiler === COMPILER_VERSION &&
    plan.write.dialect === 'sqlite' &&
    now.getTime() - Date.parse(plan.startedAt) < LONGEST_MS
  if (!isUsable) return null
  await runMixed(deps, [
    guard(deps.db, isUnchanged(materialization)),
    deps.db
      .update(endpointMaterializations)
      .set(leased(token, now))
      .where(eq(endpointMaterializations.versionId, versionId)),
  ])
  return { building, plan }
}

async function beginAnew(build: Build): Promise<Begun> {
  const { deps, token, materialization, version } = build
  const { id, versionId, projectId, building: abandoned, generations, revision } = materialization
  const project = { id: projectId, timezone: version.timezone }
  const planned = await planMaterialization({ deps, project, dialect: engineOf(deps).dialect }, version)
  if (planned.reason !== null) throw new NotBuildable(planned.reason)
  const { write, read, columns, indexed, required, inlineWhenEmpty } = planned.plan
  if (columns.length > MOST_COLUMNS) {
    throw new NotBuildable(
      `The result has more than ${MOST_COLUMNS} columns, those of its variables among them.`,
    )
  }
  const now = deps.clock.now()
  const building = generations + 1
  const plan: WritePlan = {
    revision,
    startedAt: stored(now),
    write,
    indexed,
    chunk: deps.chunk,
    plan: { compiler: COMPILER_VERSION, timezone: version.timezone, required, inlineWhenEmpty, read },
  }
  await runMixed(deps, [
    guard(deps.db, isUnchanged(materialization)),
    ...(abandoned === null ? [] : [deps.d1.prepare(dropTable(tableName({ id, generation: abandoned })))]),
    deps.d1.prepare(createTable(tableName({ id, generation: building }), columns.length)),
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

/** SQL for whether nobody has begun, ended or asked for anything since the materialization was read. */
const isUnchanged = ({ versionId, revision, generations, buildToken }: StoredMaterialization) =>
  sql`EXISTS (SELECT 1 FROM endpoint_materializations WHERE ${and(
    eq(endpointMaterializations.versionId, versionId),
    eq(endpointMaterializations.revision, revision),
    eq(endpointMaterializations.generations, generations),
    sql`build_token IS ${buildToken}`,
    sql`hibernated_at IS NULL`,
  )})`
