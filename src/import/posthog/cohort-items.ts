// Cohorts of PostHog's API as items.
import { filtersOfGroups } from '../../flags/cohorts/cohort-filters'
import { isArray, isObject, type JsonObject } from '../../json'
import type { TargetItem } from '../model'
import { type References, tryReferences } from '../references'

const EVENT_TYPES = new Set(['behavioral', 'lifecycle', 'event', 'element', 'hogql'])

/** Whether the members of a cohort are imported as a list, because it is static, or has conditions that nothing evaluates here. */
export const needsMembers = (cohort: JsonObject): boolean =>
  cohort.is_static === true || isObject(cohort.query) || hasEventConditions(cohort.filters ?? null)

const hasEventConditions = (node: unknown): boolean => {
  if (isArray(node)) return node.some(hasEventConditions)
  if (!isObject(node)) return false
  if (typeof node.type === 'string' && EVENT_TYPES.has(node.type)) return true
  return Object.values(node).some(hasEventConditions)
}

/** @param members of a cohort that needs them; null where they cannot be read. */
export function cohortItem(
  cohort: JsonObject,
  key: string,
  references: References,
  members: readonly string[] | null,
): TargetItem {
  const base = { kind: 'cohort' as const, key, id: Number(cohort.id) }
  const common = { name: String(cohort.name ?? ''), description: String(cohort.description ?? '') }
  if (needsMembers(cohort)) {
    const changes =
      cohort.is_static === true
        ? []
        : [
            `becomes static, with its ${members?.length ?? 0} members of now: ` +
              (isObject(cohort.query) ? 'cohorts of queries' : 'conditions on events') +
              ' are not supported here',
          ]
    return {
      ...base,
      value: { ...common, is_static: true, filters: null },
      members: members ?? [],
      changes,
      problem: members ? null : 'its members cannot be read',
    }
  }
  const { mapped, problem } = tryReferences(filtersIn(cohort), references)
  return { ...base, value: { ...common, is_static: false, filters: mapped ?? {} }, changes: [], problem }
}

/** Old cohorts have groups. */
const filtersIn = ({ filters, groups }: JsonObject): JsonObject => {
  const isEmpty = !isObject(filters) || Object.keys(filters).length === 0
  if (isEmpty && isArray(groups) && groups.length > 0) return filtersOfGroups(groups) as JsonObject
  return isObject(filters) ? filters : {}
}
