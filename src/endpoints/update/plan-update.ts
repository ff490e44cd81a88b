// Deciding an update: what the endpoint and its version will be. Pure. Reference/endpoints-api.md §1.3.
import { sameJson } from '../../activity/diff'
import { invalid } from '../../errors'
import {
  checkBuckets,
  checkFreshness,
  checkOptionalBreakdowns,
  checkTags,
  checkText,
  DEFAULT_FRESHNESS,
} from '../field-checks'
import type { StoredQuery } from '../compile/query-compilation'
import type { Attached } from '../materialization/lifecycle-statements'
import {
  decideMaterialization,
  type MaterializationChange,
  requireActive,
  willAttach,
} from '../materialization/plan-change'
import { breakdownPropertiesOf } from '../query/written-breakdowns'
import type { EndpointRow } from '../endpoint-rows'
import type { EndpointBody } from '../endpoint-schema'
import { endpointStateOf, type EndpointState, versionStateOf, type VersionState } from '../endpoint-state'

/** What an update is decided on. */
export interface Asked {
  /** The endpoint, at the version that is to be changed. */
  row: EndpointRow
  /** All materializations of the endpoint. */
  attached: readonly Attached[]
  body: EndpointBody
  /** Whether the caller named that version. */
  targeted: boolean
}

export interface UpdatePlan extends Pick<Asked, 'row' | 'attached' | 'targeted'> {
  endpoint: EndpointState
  version: VersionState
  /** Of the version that is written. */
  number: number
  /** The query of a version that has to be made; null: the one that is there is changed. */
  newQuery: StoredQuery | null
  materialization: MaterializationChange
}

/**
 * @param finish gives the query that was sent, once it is its turn; null when none was.
 * @throws 400 for the first rule that is broken.
 */
export function planUpdate(
  { row, attached, body, targeted }: Asked,
  finish: (() => StoredQuery) | null,
): UpdatePlan {
  if (targeted && finish) throw queryOfVersion()
  requireActive({ row, body, targeted })
  const sent = finish?.() ?? null
  checkFreshness(body.data_freshness_seconds)
  const query = sent?.query ?? row.query
  checkOptionalBreakdowns(body.optional_breakdown_properties, query)
  checkBuckets(body.bucket_overrides)
  checkText('description', body.description)
  const tags = body.tags ? checkTags(body.tags) : null

  const newQuery = sent && !sameJson(sent.query, row.query) ? sent : null
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

/** A field that was left out stays as it is, in a new version too; of the rest, null means the default or nothing, as the field has it. */
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
 * What a new version has from the one before it. Breakdowns that its query does not have any more cannot be optional.
 * @param keepsBuckets whether it is materialized: only then buckets count.
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
