// Changing an endpoint or one of its versions: one batch reads what the rules need, one batch writes everything.
import { and, eq, type SQL, sql } from 'drizzle-orm'
import { endpoints, endpointVersions } from '../../drizzle'
import { diff } from '../activity/diff'
import { type Activity, recordActivity } from '../activity/record'
import { engineOf } from '../analytics/engine'
import { userOf } from '../auth/actor'
import { invalid, notFound } from '../errors'
import { guard } from '../storage/database'
import { optimistically } from '../storage/optimistic'
import { runBatch } from '../storage/run-batch'
import { stored } from '../timestamps'
import { replaceTags } from './attachments'
import { requireRunnable } from './compile-text'
import type { EndpointContext } from './context'
import { deleteEndpoint } from './delete'
import { type Draft, draftQuery, selectWorld, worldFrom } from './draft'
import { planUpdate, type UpdatePlan } from './plan-update'
import { recordFrom, versionRecordFrom } from './record'
import { endpointNamed, endpointWithId, type EndpointRow, selectEndpoints, versionNumbered } from './rows'
import {
  type EndpointBody,
  type EndpointRecord,
  type EndpointVersionRecord,
  notAnInteger,
  versionIn,
} from './schema'
import { ENDPOINT_FIELDS, endpointStateOf, VERSION_FIELDS, versionColumnsOf, versionStateOf } from './state'

/**
 * Updates an endpoint, or the version that the caller names (spec "PATCH {E}/:name/", reference/endpoints-api.md §1.3). Another query makes
 * a new version. Writes that race are put in order: each is decided on what the one before it left.
 * @param inQuery the `version` of the query string; that of the body comes first.
 * @throws 404; 400 for the first rule that is broken. Then nothing has changed.
 */
export async function updateEndpoint(
  context: EndpointContext,
  name: string,
  body: EndpointBody,
  inQuery: string | undefined,
): Promise<EndpointRecord | EndpointVersionRecord | { success: true }> {
  const version = wantedVersion(body.version ?? inQuery)
  if (body.deleted) {
    await deleteEndpoint(context, name)
    return { success: true }
  }
  const draft = body.query ? await draftQuery(body.query, context.project.timezone) : null
  const row = await optimistically(async () =>
    writeUpdate(context, await readPlan(context, name, body, version, draft), version !== undefined),
  )
  return version === undefined ? recordFrom(row, context.url) : versionRecordFrom(row, context.url)
}

function wantedVersion(sent: unknown): number | undefined {
  if (sent === undefined || sent === null) return undefined
  const version = versionIn(sent)
  if (version === null) throw invalid('version', notAnInteger(sent))
  return version
}

async function readPlan(
  { deps, project }: EndpointContext,
  name: string,
  body: EndpointBody,
  version: number | undefined,
  draft: Draft | null,
): Promise<UpdatePlan> {
  const { db } = deps
  const named = endpointNamed(project.id, name)
  const [rows, found, ...world] = await db.batch([
    selectEndpoints(db, named, versionNumbered(version)),
    db
      .select({ one: sql`1`.as('one') })
      .from(endpoints)
      .where(named),
    ...selectWorld(db, project.id, draft),
  ])
  if (found.length === 0) throw notFound()
  const [row] = rows
  if (!row) throw invalid('version', `Version ${version} not found for this endpoint.`)
  if (version !== undefined && draft) {
    throw invalid(
      'query',
      'Cannot change query when targeting a specific version. Query changes create a new version.',
    )
  }
  const finish = () => {
    const query = draft!.finish(worldFrom(world))
    requireRunnable(query.compiled.queries, engineOf(deps).dialect)
    return query
  }
  return planUpdate(row, body, version !== undefined, draft && finish)
}

async function writeUpdate(
  { deps, actor, project }: EndpointContext,
  { row, endpoint, version, newQuery }: UpdatePlan,
  targeted: boolean,
): Promise<EndpointRow> {
  const { db } = deps
  const now = deps.clock.now()
  const at = stored(now)
  const before = endpointStateOf(row)
  const number = newQuery ? row.currentVersion + 1 : row.version
  const endpointChanges = diff('Endpoint', ENDPOINT_FIELDS, before, endpoint)
  const versionChanges = newQuery ? [] : diff('EndpointVersion', VERSION_FIELDS, versionStateOf(row), version)
  const entry = (activity: Pick<Activity, 'scope' | 'verb' | 'changes' | 'version'>) =>
    recordActivity(deps, now, { projectId: project.id, actor, itemId: row.id, name: row.name, ...activity })

  const results = await runBatch(db, [
    guard(db, isStillAs(row)),
    db
      .update(endpoints)
      .set({
        isActive: endpoint.is_active,
        updatedAt: at,
        ...(newQuery ? { currentVersion: number } : {}),
      })
      .where(endpointWithId(project.id, row.id)),
    ...(newQuery
      ? [
          db.insert(endpointVersions).values({
            ...versionColumnsOf(version),
            id: deps.ids.uuid(now),
            endpointId: row.id,
            projectId: project.id,
            version: number,
            query: newQuery.query,
            compiled: newQuery.compiled,
            columns: newQuery.columns,
            createdById: userOf(actor)?.id ?? null,
            createdAt: at,
          }),
        ]
      : []),
    ...(versionChanges.length > 0
      ? [
          db
            .update(endpointVersions)
            .set({ ...versionColumnsOf(version), updatedAt: at })
            .where(and(eq(endpointVersions.id, row.versionId), eq(endpointVersions.projectId, project.id))),
        ]
      : []),
    ...(endpoint.tags === before.tags ? [] : replaceTags(db, project.id, row.id, endpoint.tags)),
    ...(endpointChanges.length > 0
      ? [entry({ scope: 'Endpoint', verb: 'updated', changes: endpointChanges })]
      : []),
    ...(versionChanges.length > 0
      ? [
          entry({
            scope: 'EndpointVersion',
            verb: 'version_updated',
            changes: versionChanges,
            version: number,
          }),
        ]
      : []),
    ...(newQuery
      ? [
          entry({
            scope: 'Endpoint',
            verb: 'version_created',
            changes: [
              {
                type: 'EndpointVersion',
                action: 'changed',
                field: 'query',
                before: row.query,
                after: newQuery.query,
              },
            ],
            version: number,
          }),
        ]
      : []),
    selectEndpoints(
      db,
      endpointWithId(project.id, row.id),
      versionNumbered(targeted ? row.version : undefined),
    ),
  ])
  return (results.at(-1) as EndpointRow[])[0]!
}

/** Nothing that the update was decided on has been written since. */
const isStillAs = (row: EndpointRow): SQL => sql`EXISTS (
  SELECT 1 FROM endpoints JOIN endpoint_versions ON endpoint_versions.id = ${row.versionId}
  WHERE endpoints.id = ${row.id} AND endpoints.deleted = 0
    AND endpoints.current_version = ${row.currentVersion} AND endpoints.is_active = ${Number(row.isActive)}
    AND endpoint_versions.description = ${row.description}
    AND endpoint_versions.data_freshness_seconds = ${row.dataFreshnessSeconds}
    AND endpoint_versions.is_active = ${Number(row.versionIsActive)}
    AND endpoint_versions.optional_breakdown_properties = ${JSON.stringify(row.optionalBreakdownProperties)}
    AND endpoint_versions.bucket_overrides IS ${row.bucketOverrides && JSON.stringify(row.bucketOverrides)}
    AND ${row.tags} = (SELECT json_group_array(name) FROM (SELECT t.name FROM endpoint_tags t
      WHERE t.endpoint_id = endpoints.id ORDER BY t.name)))`
