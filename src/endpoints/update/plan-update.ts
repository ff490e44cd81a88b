// Plans an update (docs/reference/endpoints.md#updates-versions-and-deletion). Pure.
import { sameJson } from '../../json'
import { invalid } from '../../errors'
import {
  checkBuckets,
  checkFreshness,
  checkOptionalBreakdowns,
  checkTags,
  checkText,
  DEFAULT_FRESHNESS,
} from '../field-checks'
import type { StoredQuery } from '../compile/compile-query'
import type { AttachedMaterialization } from '../materialization/lifecycle-statements'
import { decideMaterialization, type MaterializationChange, willAttach } from '../materialization/plan-change'
import { breakdownPropertiesOf } from '../query/written-breakdowns'
import type { EndpointRow } from '../endpoint-rows'
import type { EndpointBody } from '../endpoint-schema'
import { endpointStateOf, type EndpointState, versionStateOf, type VersionState } from '../endpoint-state'

export interface UpdateInput {
  /** The endpoint at the version to change. */
  row: EndpointRow
  attached: readonly AttachedMaterialization[]
  body: EndpointBody
  /** Whether the request names that version. */
  targeted: boolean
}

export interface UpdatePlan extends Pick<UpdateInput, 'row' | 'attached' | 'targeted'> {
  endpoint: EndpointState
  version: VersionState
  /** The number of the written version. */
  number: number
  /** The query of a new version. It is null when the version is changed in place. */
  newQuery: StoredQuery | null
  materialization: MaterializationChange
}

/** @throws 400 for the first broken rule */
export function planUpdate(
  { row, attached, body, targeted }: UpdateInput,
  sent: StoredQuery | null,
): UpdatePlan {
  const newQuery = sent && !sameJson(sent.query, row.query) ? sent : null
  // The version's own query changes nothing, and is accepted because clients send its record back.
  if (targeted && newQuery) throw queryOfVersion()
  checkFreshness(body.data_freshness_seconds)
  checkOptionalBreakdowns(body.optional_breakdown_properties, newQuery?.query ?? row.query)
  checkBuckets(body.bucket_overrides)
  checkText('description', body.description)
  const tags = body.tags ? checkTags(body.tags) : null

  const update = { row, body, targeted, isNew: newQuery !== null }
  const before = endpointStateOf(row)
  const version = versionAfter(row, body, newQuery, { targeted, keepsBuckets: willAttach(update) !== null })
  return {
    row,
    attached,
    targeted,
    endpoint: {
      is_active: targeted ? before.is_active : (body.is_active ?? before.is_active),
      tags: tags ?? before.tags,
    },
    version,
    number: newQuery ? row.currentVersion + 1 : row.version,
    newQuery,
    materialization: decideMaterialization(update, attached, versionStateOf(row), version),
  }
}

const queryOfVersion = () =>
  invalid(
    'query',
    'Cannot change query when targeting a specific version. Query changes create a new version.',
  )

/**
 * Returns the state after the update. A field that is not sent keeps its value, also in a new version; null means the default or empty.
 */
function versionAfter(
  row: EndpointRow,
  body: EndpointBody,
  newQuery: StoredQuery | null,
  { targeted, keepsBuckets }: { targeted: boolean; keepsBuckets: boolean },
): VersionState {
  const before = newQuery ? inherited(versionStateOf(row), newQuery, keepsBuckets) : versionStateOf(row)
  const { data_freshness_seconds: freshness, optional_breakdown_properties: optional } = body
  return {
    description: body.description ?? before.description,
    data_freshness_seconds:
      freshness === undefined ? before.data_freshness_seconds : (freshness ?? DEFAULT_FRESHNESS),
    is_active: targeted ? (body.is_active ?? before.is_active) : before.is_active,
    optional_breakdown_properties:
      optional === undefined ? before.optional_breakdown_properties : (optional ?? []),
    bucket_overrides: body.bucket_overrides === undefined ? before.bucket_overrides : body.bucket_overrides,
  }
}

/**
 * Returns the state that a new version inherits. Optional breakdowns that the new query does not have are dropped.
 * @param keepsBuckets whether the new version is materialized
 */
function inherited(before: VersionState, { query }: StoredQuery, keepsBuckets: boolean): VersionState {
  const known = breakdownPropertiesOf(query)
  return {
    ...before,
    is_active: true,
    optional_breakdown_properties: before.optional_breakdown_properties.filter((property) =>
      known.includes(property),
    ),
    bucket_overrides: keepsBuckets ? before.bucket_overrides : null,
  }
}
