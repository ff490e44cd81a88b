// Changing an endpoint or one of its versions: one batch reads what the rules need, one batch writes everything.
import { and, eq, type SQL, sql } from 'drizzle-orm'
import { endpoints, endpointVersions } from '../../drizzle'
import { diff } from '../activity/diff'
import { type Activity, recordActivity } from '../activity/record'
import { engineOf } from '../analytics/engine'
import { userOf } from '../auth/actor'
import { type ApiError, invalid, notFound } from '../errors'
import { integerIn } from '../http/fields'
import { guard } from '../storage/database'
import { optimistically } from '../storage/optimistic'
import { runBatch } from '../storage/run-batch'
import { stored } from '../timestamps'
import { replaceTags } from './attachments'
import { requireRunnable } from './compile-text'
import type { EndpointContext } from './context'
import { deleteEndpoint } from './delete'
import { draftQuery, selectWorld, worldFrom } from './draft'
import type { Draft } from './query-draft'
import { areStillAttached, attach, detach, selectAttached, touch } from './materialization/attached'
import { requestBuilds } from './materialization/build/message'
import { checkEligibility, refusalOf } from './materialization/eligibility'
import type { Eligibility } from './materialization/stored-plan'
import { planUpdate, type UpdatePlan } from './plan-update'
import { recordFrom, versionRecordFrom } from './record'
import { endpointNamed, endpointWithId, type EndpointRow, selectEndpoints, versionNumbered } from './rows'
import {
  type EndpointBody,
  type EndpointVersionRecord,
  notAnInteger,
  type UpdatedEndpointRecord,
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
): Promise<UpdatedEndpointRecord | EndpointVersionRecord | { success: true }> {
  const version = wantedVersion(body.version ?? inQuery)
  if (body.deleted) {
    await deleteEndpoint(context, name)
    return { success: true }
  }
  const draft = body.query ? await draftQuery(body.query, context.project.timezone) : null
  const targeted = version !== undefined
  const { row, error } = await optimistically(async () => {
    const plan = await readPlan(context, name, body, version, draft)
    const checked = await checkMaterialization(context, plan)
    return { row: await writeUpdate(context, plan, checked, targeted), error: checked.refusal?.detail }
  })
  if (targeted) return versionRecordFrom(row, context.url)
  return {
    ...recordFrom(row, context.url),
    ...(error === undefined ? {} : { materialization_error: error }),
  }
}

function wantedVersion(sent: unknown): number | undefined {
  if (sent === undefined || sent === null) return undefined
  const version = integerIn(sent)
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
  const [rows, attached, found, ...world] = await db.batch([
    selectEndpoints(db, named, versionNumbered(version)),
    selectAttached(db, named),
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
  return planUpdate(row, attached, body, version !== undefined, draft && finish)
}

interface MaterializationCheck {
  /** Of a new query. */
  eligibility: Eligibility | null
  /** Why nothing is attached, although the version before it had something. */
  refusal: ApiError | null
}

/** Whether what is to be materialized can be. @throws 400 where that was asked for, and it cannot. */
async function checkMaterialization(
  context: EndpointContext,
  { row, version, newQuery, materialization: { attaches } }: UpdatePlan,
): Promise<MaterializationCheck> {
  if (!newQuery && attaches === null) return { eligibility: null, refusal: null }
  const checked = await checkEligibility(
    context,
    {
      query: newQuery?.query ?? row.query,
      name: row.name,
      version: newQuery ? row.currentVersion + 1 : row.version,
      bucketOverrides: version.bucket_overrides,
      optionalBreakdownProperties: version.optional_breakdown_properties,
    },
    newQuery?.world,
  )
  const refusal = attaches === null ? null : refusalOf(checked)
  if (refusal && attaches === 'asked') throw refusal
  return { eligibility: checked.eligibility, refusal }
}

async function writeUpdate(
  context: EndpointContext,
  { row, attached, endpoint, version, newQuery, materialization }: UpdatePlan,
  { eligibility, refusal }: MaterializationCheck,
  targeted: boolean,
): Promise<EndpointRow> {
  const { deps, actor, project } = context
  const { db } = deps
  const now = deps.clock.now()
  const at = stored(now)
  const before = endpointStateOf(row)
  const number = newQuery ? row.currentVersion + 1 : row.version
  const versionId = newQuery ? deps.ids.uuid(now) : row.versionId
  const place = { deps, projectId: project.id, actor, name: row.name, now }
  const attaches = materialization.attaches !== null && refusal === null
  const endpointChanges = diff('Endpoint', ENDPOINT_FIELDS, before, endpoint)
  const versionChanges = newQuery ? [] : diff('EndpointVersion', VERSION_FIELDS, versionStateOf(row), version)
  const entry = (activity: Pick<Activity, 'scope' | 'verb' | 'changes' | 'version'>) =>
    recordActivity(deps, now, { projectId: project.id, actor, itemId: row.id, name: row.name, ...activity })

  const results = await runBatch(db, [
    guard(db, sql`${isStillAs(row)} AND ${areStillAttached(row.id, attached)}`),
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
            id: versionId,
            endpointId: row.id,
            projectId: project.id,
            version: number,
            query: newQuery.query,
            compiled: newQuery.compiled,
            columns: newQuery.columns,
            eligibility,
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
    ...materialization.ended.flatMap((each) => detach(place, each)),
    ...(attaches
      ? attach(place, {
          endpointId: row.id,
          versionId,
          version: number,
          // One that sleeps wakes as what it was.
          id: (newQuery ? null : row.materializationId) ?? deps.ids.uuid(now),
        })
      : []),
    ...touch(db, row.versionId, materialization.touches, now),
    selectEndpoints(
      db,
      endpointWithId(project.id, row.id),
      versionNumbered(targeted ? row.version : undefined),
    ),
  ])
  const isDue = attaches || materialization.touches === 'refresh'
  requestBuilds(deps, isDue ? [{ projectId: project.id, versionId }] : [])
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
