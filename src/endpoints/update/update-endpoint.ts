// Updates an endpoint or one of its versions: one batch reads, another one the facts of a new query, and one writes.
import { dialectOf } from '../../analytics/engine/select-engine'
import { endpoints } from '../../../drizzle'
import { invalid, notFound } from '../../errors'
import { sameJson } from '../../json'
import { existsIn } from '../../storage/count'
import { retryOnConflict } from '../../storage/retry-on-conflict'
import { requireRunnable } from '../compile/compiled-version'
import type { EndpointContext } from '../context'
import { deleteEndpoint } from '../delete-endpoint'
import { compileQuery, parseSent } from '../compile/compile-query'
import { checkVersion } from '../field-checks'
import { endpointNamed, selectEndpoints, versionNumbered } from '../endpoint-rows'
import { checkEligibility, rejectionOf } from '../materialization/eligibility'
import { selectAttached } from '../materialization/lifecycle-statements'
import { requireActive } from '../materialization/plan-change'
import { planUpdate, type UpdateInput, type UpdatePlan } from './plan-update'
import { versionStateOf } from '../endpoint-state'
import { recordFrom, versionRecordFrom, warningsOf } from '../endpoint-record'
import { type EndpointBody, type EndpointVersionRecord, type UpdatedEndpointRecord } from '../endpoint-schema'
import { type MaterializationCheck, writeUpdate } from './write-update'

/**
 * Updates an endpoint or a version (docs/reference/endpoints.md#updates-versions-and-deletion). It retries on conflict.
 * @param inQuery `version` of the query string; that of the body takes precedence
 * @throws 404; 400 for the first broken rule
 */
export async function updateEndpoint(
  context: EndpointContext,
  name: string,
  body: EndpointBody,
  inQuery: string | undefined,
): Promise<UpdatedEndpointRecord | EndpointVersionRecord | { success: true }> {
  const version = checkVersion(body.version ?? inQuery)
  if (body.deleted) {
    requireWhole(name, version, body)
    await deleteEndpoint(context, name)
    return { success: true }
  }
  const { deps, project, url } = context
  const targeted = version !== undefined
  const query = body.query ? await parseSent(body.query) : null
  const { row, rejection, newQuery } = await retryOnConflict(async () => {
    const read = await readVersion(context, name, version)
    requireActive({ row: read.row, body, targeted })
    // Clients send the record of an endpoint back, whose own query may not compile any more, as without one of its variables.
    const isSame = sameJson(query, read.row.query)
    const sent = query && !isSame ? await compileQuery(context, query, deps.clock.now()) : null
    if (sent) requireRunnable(sent.compiled.queries, dialectOf(project.store), 'query')
    const plan = planUpdate({ ...read, body, targeted }, sent)
    const checked = await checkMaterialization(context, plan)
    return {
      row: await writeUpdate(context, plan, checked),
      rejection: checked.rejection,
      newQuery: plan.newQuery,
    }
  })
  if (targeted) return versionRecordFrom(row, url)
  return {
    ...recordFrom(row, url),
    ...warningsOf(newQuery),
    ...(rejection ? { materialization_error: rejection.detail } : {}),
  }
}

/** @throws 400 for a deletion that names a version, or another endpoint: it would delete something else */
function requireWhole(name: string, version: number | undefined, { name: sent }: EndpointBody): void {
  if (version !== undefined)
    throw invalid(
      'deleted',
      'A version cannot be deleted. Without version, this deletes the endpoint with all its versions.',
    )
  if (sent !== undefined && sent !== null && sent !== name)
    throw invalid('name', `This would delete ${name}. Leave the name out, or send ${name}.`)
}

/** @throws 404; 400, attr `version`, for an unknown version */
async function readVersion(
  { deps: { db }, project }: EndpointContext,
  name: string,
  version: number | undefined,
): Promise<Pick<UpdateInput, 'row' | 'attached'>> {
  const named = endpointNamed(project.id, name)
  const [[row], attached, found] = await db.batch([
    selectEndpoints(db, named, versionNumbered(version)),
    selectAttached(db, named),
    existsIn(db, endpoints, named),
  ])
  if (found.length === 0) throw notFound()
  if (!row) throw invalid('version', `Version ${version} not found for this endpoint.`)
  return { row, attached }
}

/** @throws 400 for a requested materialization that is not possible, and for fields with which an existing one no longer is */
async function checkMaterialization(
  context: EndpointContext,
  { row, version, number, newQuery, materialization: { attaches, touches } }: UpdatePlan,
): Promise<MaterializationCheck> {
  const before = versionStateOf(row)
  const isSame =
    sameJson(version.bucket_overrides, before.bucket_overrides) &&
    sameJson(version.optional_breakdown_properties, before.optional_breakdown_properties)
  if (!newQuery && isSame && attaches === null) return { eligibility: null, attaches: false, rejection: null }
  const checked = await checkEligibility(
    context,
    {
      query: newQuery?.query ?? row.query,
      name: row.name,
      version: number,
      bucketOverrides: version.bucket_overrides,
      optionalBreakdownProperties: version.optional_breakdown_properties,
    },
    newQuery?.facts,
  )
  const rejection = attaches === null && touches === null ? null : rejectionOf(checked)
  if (rejection && attaches !== 'inherited') throw rejection
  return { eligibility: checked.eligibility, attaches: attaches !== null && rejection === null, rejection }
}
