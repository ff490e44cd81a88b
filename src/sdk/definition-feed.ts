// Definitions for SDKs that evaluate flags themselves: docs/reference/evaluation.md#definitions-for-sdks.
import type { FeedDefinition } from '../snapshots/definitions'
import { idIn } from '../evaluation/values/id'
import { isObject } from '../json'
import { createChains, type DependencyChains } from './dependency-chains'
import { leavesOf } from '../flags/filters/cohorts'
import { propertiesIn } from '../flags/filters/flag-filters'
import { publicDefinition } from '../flags/read/public-definition'
import type { Snapshot } from '../snapshots/document'

export interface LocalEvaluation {
  flags: object[]
  group_type_mapping: Readonly<Record<string, string>>
  cohorts: Record<string, unknown>
  minimal_flag_called_events: boolean
  property_matching_version: number
}

/**
 * Returns flags by key, without deleted flags and those with encrypted payloads. Dependencies have keys instead of ids. Flags and cohorts
 * that do not parse are left out: SDKs then ask the service, which reports the failure.
 */
export function definitionFeed(snapshot: Snapshot): LocalEvaluation {
  const flags = snapshot.flags
    .filter(({ has_encrypted_payloads: isSecret, filters }) => !isSecret && isObject(filters))
    .toSorted((a, b) => (a.key < b.key ? -1 : 1))
  const byId = new Map(flags.map((flag) => [flag.id, flag]))
  const chains = createChains(byId)
  return {
    flags: flags.map((flag) => entryOf(flag, snapshot.project_id, byId, chains)),
    group_type_mapping: snapshot.group_type_mapping,
    cohorts: cohortsFor(flags, snapshot),
    minimal_flag_called_events: false,
    property_matching_version: snapshot.property_matching_version,
  }
}

const entryOf = (
  flag: FeedDefinition,
  projectId: number,
  byId: ReadonlyMap<number, FeedDefinition>,
  chains: DependencyChains,
) => ({
  ...publicDefinition(flag, projectId),
  filters: withKeys(flag.filters, byId, chains),
  has_experiment: flag.has_experiment,
})

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

function withKeys(
  filters: unknown,
  byId: ReadonlyMap<number, FeedDefinition>,
  chains: DependencyChains,
): unknown {
  if (!isObject(filters) || propertiesIn(filters).every(({ type }) => type !== 'flag')) return filters
  const rewrite = (property: unknown) => {
    if (!isObject(property) || property.type !== 'flag') return property
    const target = byId.get(Number(property.key))
    return {
      ...property,
      key: target?.key ?? property.key,
      dependency_chain: target ? chains.to(target) : [],
    }
  }
  return {
    ...filters,
    groups: listOf(filters.groups).map((set) =>
      isObject(set) ? { ...set, properties: listOf(set.properties).map(rewrite) } : set,
    ),
  }
}

/** Returns the dynamic cohorts that flags use, transitively. */
function cohortsFor(flags: readonly FeedDefinition[], { cohorts }: Snapshot): Record<string, unknown> {
  const dynamic = new Map(cohorts.filter((cohort) => !cohort.is_static).map((cohort) => [cohort.id, cohort]))
  const found: Record<string, unknown> = {}
  const waiting = flags
    .flatMap(({ filters }) => propertiesIn(filters))
    .filter(({ type }) => type === 'cohort')
    .map(({ value }) => idIn(value))
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    // Operators that have nothing to do with cohorts accept any value.
    const cohort = id === null ? undefined : dynamic.get(id)
    if (!cohort || String(cohort.id) in found) continue
    // A cohort without conditions has no members, but SDKs would match everyone, so that it is left out.
    const properties = isObject(cohort.filters) ? cohort.filters.properties : null
    if (!isObject(properties) || Object.keys(properties).length === 0) continue
    found[String(cohort.id)] = properties
    for (const { type, value } of leavesOf(properties)) if (type === 'cohort') waiting.push(idIn(value))
  }
  return found
}
