// Converts saved queries of PostHog's API to items, with their versions.
import { isObject, type JsonObject } from '../../json'
import type { TargetItem } from '../model'
import { type References, tryReferences } from '../references'
import { textsIn } from './flag-items'

/** @param versions newest first, as the API lists them. */
export function queryItem(
  endpoint: JsonObject,
  versions: readonly JsonObject[],
  references: References,
): TargetItem {
  let problem: string | null = null
  const queryOf = ({ query }: JsonObject): JsonObject => {
    const { mapped, problem: unknown } = tryReferences(isObject(query) ? query : {}, references)
    problem = unknown ?? problem
    return mapped ?? {}
  }
  const listed = versions.toSorted((a, b) => Number(a.version) - Number(b.version))
  return {
    kind: 'query',
    key: String(endpoint.name),
    id: String(endpoint.name),
    value: {
      is_active: endpoint.is_active !== false,
      tags: textsIn(endpoint.tags),
      derived_from_insight: endpoint.derived_from_insight ?? null,
      versions: listed.map((version) => ({
        query: queryOf(version),
        description: version.description ?? '',
        data_freshness_seconds: version.data_freshness_seconds ?? 86_400,
        is_active: version.is_active !== false,
        is_materialized: version.is_materialized === true,
        optional_breakdown_properties: version.optional_breakdown_properties ?? [],
        bucket_overrides: version.bucket_overrides ?? null,
      })),
    },
    initial: { numbers: listed.map(({ version }) => Number(version)) },
    changes: [],
    problem,
  }
}
