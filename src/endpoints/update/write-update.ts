// Writes a planned update in one batch, guarded against concurrent writes.
import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { BatchItem } from 'drizzle-orm/batch'
import { endpoints, endpointVersions } from '../../../drizzle'
import { diff } from '../../activity/diff'
import { type Activity, recordActivity } from '../../activity/record'
import { userOf } from '../../auth/actor'
import type { ApiError } from '../../errors'
import { guard } from '../../storage/database'
import { runBatch } from '../../storage/run-batch'
import { toStoredTimestamp } from '../../timestamps'
import {
  ENDPOINT_FIELDS,
  endpointStateOf,
  replaceTags,
  VERSION_FIELDS,
  versionColumnsOf,
  versionStateOf,
} from '../endpoint-state'
import type { EndpointContext } from '../context'
import { areAttachmentsUnchanged, attach, detach, touch } from '../materialization/lifecycle-statements'
import { requestBuilds } from '../materialization/build/build-queue'
import type { Eligibility } from '../materialization/compiled-read'
import type { UpdatePlan } from './plan-update'
import type { StoredQuery } from '../compile/compile-query'
import { type EndpointRow, endpointWithId, selectEndpoints, tagsSql, versionNumbered } from '../endpoint-rows'

interface Writing extends Pick<EndpointContext, 'deps' | 'actor' | 'project'> {
  plan: UpdatePlan
  now: Date
  /** The id of the new or changed version. */
  versionId: string
}

export interface MaterializationCheck {
  /** The eligibility is null where nothing changed that it depends on. */
  eligibility: Eligibility | null
  /** Whether a materialization is attached to the written version. */
  attaches: boolean
  /** Why the inherited materialization was not attached. */
  rejection: ApiError | null
}

/**
 * @returns the endpoint at the named or current version.
 * @throws a guard failure on conflict
 */
export async function writeUpdate(
  context: EndpointContext,
  plan: UpdatePlan,
  { eligibility, attaches }: MaterializationCheck,
): Promise<EndpointRow> {
  const { deps, project } = context
  const { db } = deps
  const { row, attached, newQuery, targeted, materialization } = plan
  const now = deps.clock.now()
  const writing = { ...context, plan, now, versionId: newQuery ? deps.ids.uuid(now) : row.versionId }
  const results = await runBatch(db, [
    guard(db, sql`${isUnchanged(row)} AND ${areAttachmentsUnchanged(row.id, attached)}`),
    ...endpointStatements(writing),
    ...(newQuery ? newVersion(writing, newQuery, eligibility) : changedVersion(writing, eligibility)),
    ...materializationStatements(writing, attaches),
    selectEndpoints(
      db,
      endpointWithId(project.id, row.id),
      versionNumbered(targeted ? row.version : undefined),
    ),
  ])
  const isDue = attaches || materialization.touches === 'refresh'
  requestBuilds(deps, isDue ? [{ projectId: project.id, versionId: writing.versionId }] : [])
  return (results.at(-1) as EndpointRow[])[0]!
}

/** SQL condition: no tracked field of the endpoint or the version was written since the row was read. */
export function isUnchanged(row: EndpointRow): SQL {
  const columns = versionColumnsOf(versionStateOf(row))
  const sameVersion = (Object.keys(columns) as (keyof typeof columns)[]).map((name) => {
    const column = endpointVersions[name]
    return sql`${column} IS ${sql.param(columns[name], column)}`
  })
  const same = and(
    eq(endpoints.id, row.id),
    eq(endpoints.deleted, false),
    eq(endpoints.currentVersion, row.currentVersion),
    eq(endpoints.isActive, row.isActive),
    sql`${tagsSql} = ${row.tags}`,
    ...sameVersion,
  )
  return sql`EXISTS (SELECT 1 FROM ${endpoints} JOIN ${endpointVersions} ON ${endpointVersions.id} = ${row.versionId} WHERE ${same})`
}

/** Statements on the endpoint. `updated_at` changes with every update. */
function endpointStatements(writing: Writing): BatchItem<'sqlite'>[] {
  const { deps, project, plan, now } = writing
  const { row, endpoint, number, newQuery } = plan
  const before = endpointStateOf(row)
  const changes = diff('Endpoint', ENDPOINT_FIELDS, before, endpoint)
  return [
    deps.db
      .update(endpoints)
      .set({
        isActive: endpoint.is_active,
        updatedAt: toStoredTimestamp(now),
        ...(newQuery ? { currentVersion: number } : {}),
      })
      .where(endpointWithId(project.id, row.id)),
    ...(endpoint.tags === before.tags ? [] : replaceTags(deps.db, project.id, row.id, endpoint.tags)),
    ...logged(writing, { scope: 'Endpoint', verb: 'updated', changes }),
  ]
}

function newVersion(
  writing: Writing,
  newQuery: StoredQuery,
  eligibility: Eligibility | null,
): BatchItem<'sqlite'>[] {
  const { deps, actor, project, plan, now, versionId } = writing
  const { row, version, number } = plan
  const { query, compiled, columns } = newQuery
  return [
    deps.db.insert(endpointVersions).values({
      ...versionColumnsOf(version),
      id: versionId,
      endpointId: row.id,
      projectId: project.id,
      version: number,
      query,
      compiled,
      columns,
      eligibility,
      createdById: userOf(actor)?.id ?? null,
      createdAt: toStoredTimestamp(now),
    }),
    ...logged(writing, {
      scope: 'Endpoint',
      verb: 'version_created',
      changes: [
        { type: 'EndpointVersion', action: 'changed', field: 'query', before: row.query, after: query },
        ...diff('EndpointVersion', VERSION_FIELDS, versionStateOf(row), version),
      ],
      version: number,
    }),
  ]
}

function changedVersion(writing: Writing, eligibility: Eligibility | null): BatchItem<'sqlite'>[] {
  const { deps, project, plan, now, versionId } = writing
  const { row, version, number } = plan
  const changes = diff('EndpointVersion', VERSION_FIELDS, versionStateOf(row), version)
  if (changes.length === 0) return []
  return [
    deps.db
      .update(endpointVersions)
      .set({
        ...versionColumnsOf(version),
        ...(eligibility ? { eligibility } : {}),
        updatedAt: toStoredTimestamp(now),
      })
      .where(and(eq(endpointVersions.id, versionId), eq(endpointVersions.projectId, project.id))),
    ...logged(writing, { scope: 'EndpointVersion', verb: 'version_updated', changes, version: number }),
  ]
}

/** Statements on materializations. They come after the statements of the version, whose freshness they use. */
function materializationStatements(
  { deps, actor, project, plan, now, versionId }: Writing,
  attaches: boolean,
): BatchItem<'sqlite'>[] {
  const { row, number, newQuery, materialization } = plan
  const change = { deps, projectId: project.id, actor, name: row.name, now }
  // A materialization that is woken keeps its id.
  const hibernatedId = newQuery ? null : row.materializationId
  return [
    ...materialization.ended.flatMap((each) => detach(change, each)),
    ...(attaches
      ? attach(change, {
          endpointId: row.id,
          versionId,
          version: number,
          id: hibernatedId ?? deps.ids.uuid(now),
        })
      : []),
    ...touch(deps.db, row.versionId, materialization.touches, now),
  ]
}

const logged = (
  { deps, actor, project, plan: { row }, now }: Writing,
  activity: Pick<Activity, 'scope' | 'verb' | 'changes' | 'version'>,
): BatchItem<'sqlite'>[] =>
  activity.changes.length === 0
    ? []
    : [
        recordActivity(deps, now, {
          projectId: project.id,
          actor,
          itemId: row.id,
          name: row.name,
          ...activity,
        }),
      ]
