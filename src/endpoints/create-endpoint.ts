// Creates an endpoint with its first version: one batch reads, one batch writes.
import { endpoints, endpointVersions } from '../../drizzle'
import { recordActivity } from '../activity/record'
import { dialectOf } from '../analytics/engine/select-engine'
import { userOf } from '../auth/actor'
import { invalid } from '../errors'
import { isUniqueViolation } from '../storage/database'
import { runBatch } from '../storage/run-batch'
import { toStoredTimestamp } from '../timestamps'
import { replaceTags, versionColumnsOf, type VersionState } from './endpoint-state'
import {
  checkBuckets,
  checkFreshness,
  checkInsightId,
  checkName,
  checkOptionalBreakdowns,
  checkTags,
  checkText,
  checkVersion,
  DEFAULT_FRESHNESS,
  nameTaken,
} from './field-checks'
import { requireRunnable } from './compile/compiled-version'
import type { EndpointContext } from './context'
import { compileQuery, parseSent, type StoredQuery } from './compile/compile-query'
import { attach } from './materialization/lifecycle-statements'
import { requestBuilds } from './materialization/build/build-queue'
import { inactive } from './materialization/plan-change'
import { checkEligibility, rejectionOf } from './materialization/eligibility'
import type { Eligibility } from './materialization/compiled-read'
import { recordFrom, warningsOf } from './endpoint-record'
import { type EndpointRow, endpointWithId, selectEndpoints } from './endpoint-rows'
import type { CreatedEndpointRecord, EndpointBody } from './endpoint-schema'

interface Plan extends StoredQuery {
  name: string
  isActive: boolean
  state: VersionState
  eligibility: Eligibility
  isMaterialized: boolean
  derivedFromInsight: string | null
  tags: string[]
}

/** @throws 400 for the first rule that the body breaks (docs/reference/endpoints.md#fields-of-a-saved-query) */
export async function createEndpoint(
  context: EndpointContext,
  body: EndpointBody,
): Promise<CreatedEndpointRecord> {
  const plan = await planEndpoint(context, body)
  try {
    return { ...recordFrom(await writeEndpoint(context, plan), context.url), ...warningsOf(plan) }
  } catch (error) {
    throw isUniqueViolation(error) ? nameTaken() : error
  }
}

const required = (attr: string) => invalid(attr, 'This field is required.', 'required')

async function planEndpoint(context: EndpointContext, body: EndpointBody): Promise<Plan> {
  const { deps, project } = context
  if (!body.name) throw required('name')
  checkName(body.name)
  if (!body.query) throw required('query')
  checkVersion(body.version)
  if (body.deleted) throw invalid('deleted', 'A new endpoint cannot be deleted.')
  const query = await compileQuery(context, await parseSent(body.query), deps.clock.now())
  requireRunnable(query.compiled.queries, dialectOf(project.store), 'query')
  checkFreshness(body.data_freshness_seconds)
  checkOptionalBreakdowns(body.optional_breakdown_properties, query.query)
  checkBuckets(body.bucket_overrides)
  checkText('description', body.description)
  checkInsightId(body.derived_from_insight)
  const tags = checkTags(body.tags ?? [])
  const isActive = body.is_active ?? true
  if (body.is_materialized && !isActive) {
    throw inactive('endpoint')
  }
  const state = {
    description: body.description ?? '',
    data_freshness_seconds: body.data_freshness_seconds ?? DEFAULT_FRESHNESS,
    is_active: true,
    optional_breakdown_properties: body.optional_breakdown_properties ?? [],
    bucket_overrides: body.bucket_overrides ?? null,
  }
  const checked = await checkEligibility(
    context,
    {
      query: query.query,
      name: body.name,
      version: 1,
      bucketOverrides: state.bucket_overrides,
      optionalBreakdownProperties: state.optional_breakdown_properties,
    },
    query.facts,
  )
  const rejection = body.is_materialized ? rejectionOf(checked) : null
  if (rejection) throw rejection
  return {
    ...query,
    name: body.name,
    isActive,
    state,
    eligibility: checked.eligibility,
    isMaterialized: body.is_materialized === true,
    derivedFromInsight: body.derived_from_insight ?? null,
    tags,
  }
}

async function writeEndpoint({ deps, actor, project }: EndpointContext, plan: Plan): Promise<EndpointRow> {
  const { db } = deps
  const now = deps.clock.now()
  const at = toStoredTimestamp(now)
  const id = deps.ids.uuid(now)
  const versionId = deps.ids.uuid(now)
  const authored = { projectId: project.id, createdById: userOf(actor)?.id ?? null, createdAt: at }
  const results = await runBatch(db, [
    db.insert(endpoints).values({
      ...authored,
      id,
      name: plan.name,
      isActive: plan.isActive,
      derivedFromInsight: plan.derivedFromInsight,
      currentVersion: 1,
      updatedAt: at,
    }),
    db.insert(endpointVersions).values({
      ...authored,
      ...versionColumnsOf(plan.state),
      id: versionId,
      endpointId: id,
      version: 1,
      query: plan.query,
      compiled: plan.compiled,
      columns: plan.columns,
      eligibility: plan.eligibility,
    }),
    ...(plan.tags.length > 0 ? replaceTags(db, project.id, id, plan.tags) : []),
    recordActivity(deps, now, {
      projectId: project.id,
      actor,
      scope: 'Endpoint',
      itemId: id,
      verb: 'created',
      name: plan.name,
      changes: [],
    }),
    ...(plan.isMaterialized
      ? attach(
          { deps, projectId: project.id, actor, name: plan.name, now },
          { endpointId: id, versionId, version: 1, id: deps.ids.uuid(now) },
        )
      : []),
    selectEndpoints(db, endpointWithId(project.id, id)),
  ])
  requestBuilds(deps, plan.isMaterialized ? [{ projectId: project.id, versionId }] : [])
  return (results.at(-1) as EndpointRow[])[0]!
}
