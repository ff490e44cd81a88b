// Changing an endpoint or one of its versions: one batch reads what the rules need, one batch writes everything.
import { dialectOf } from '../../analytics/engine'
import { type ApiError, invalid } from '../../errors'
import { integerIn } from '../../http/fields'
import { retryOnConflict } from '../../storage/retry-on-conflict'
import { requireRunnable } from '../compile/compiled-version'
import type { EndpointContext } from '../context'
import { deleteEndpoint } from '../delete-endpoint'
import { draftQuery } from '../compile/compile-query'
import { checkEligibility, refusalOf } from '../materialization/eligibility'
import type { Eligibility } from '../materialization/stored-plan'
import { planUpdate, type UpdatePlan } from './plan-update'
import { readForUpdate } from './update-facts'
import { recordFrom, versionRecordFrom } from '../endpoint-record'
import {
  type EndpointBody,
  type EndpointVersionRecord,
  notAnInteger,
  type UpdatedEndpointRecord,
} from '../endpoint-schema'
import { writeUpdate } from './write-update'

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
  const { deps, project, url } = context
  const dialect = dialectOf(project.store)
  const targeted = version !== undefined
  const draft = body.query ? await draftQuery(body.query, project.timezone, deps.clock.now()) : null
  const { row, refusal } = await retryOnConflict(async () => {
    const { world, ...read } = await readForUpdate(context, name, version, draft)
    const finish =
      draft &&
      (() => {
        const query = draft.finish(world)
        requireRunnable(query.compiled.queries, dialect)
        return query
      })
    const plan = planUpdate({ ...read, body, targeted }, finish)
    const checked = await checkMaterialization(context, plan)
    return { row: await writeUpdate(context, plan, checked), refusal: checked.refusal }
  })
  if (targeted) return versionRecordFrom(row, url)
  return { ...recordFrom(row, url), ...(refusal ? { materialization_error: refusal.detail } : {}) }
}

function wantedVersion(sent: unknown): number | undefined {
  if (sent === undefined || sent === null) return undefined
  const version = integerIn(sent)
  if (version === null) throw invalid('version', notAnInteger(sent))
  return version
}

interface MaterializationCheck {
  /** Of a new query. */
  eligibility: Eligibility | null
  /** Whether a materialization is attached to the version that is written. */
  attaches: boolean
  /** Why none is, although the version before it had one. */
  refusal: ApiError | null
}

/** Whether what is to be materialized can be. @throws 400 where that was asked for, and it cannot. */
async function checkMaterialization(
  context: EndpointContext,
  { row, version, number, newQuery, materialization: { attaches } }: UpdatePlan,
): Promise<MaterializationCheck> {
  if (!newQuery && attaches === null) return { eligibility: null, attaches: false, refusal: null }
  const checked = await checkEligibility(
    context,
    {
      query: newQuery?.query ?? row.query,
      name: row.name,
      version: number,
      bucketOverrides: version.bucket_overrides,
      optionalBreakdownProperties: version.optional_breakdown_properties,
    },
    newQuery?.world,
  )
  const refusal = attaches === null ? null : refusalOf(checked)
  if (refusal && attaches === 'asked') throw refusal
  return { eligibility: checked.eligibility, attaches: attaches !== null && refusal === null, refusal }
}
