// Converts references between items, wherever the API has them: ids of a service become keys of items, and keys become the ids of another
// service.
import { isArray, isObject, type JsonObject, type JsonValue } from '../json'

/** Functions that convert references. Each throws UnknownReference for a reference that leads nowhere. */
export interface References {
  cohort(reference: JsonValue): JsonValue
  flag(reference: JsonValue): JsonValue
  groupType(reference: JsonValue): JsonValue
  variable(reference: JsonValue): JsonValue
}

/** An item names another that does not exist. The message is for people. */
export class UnknownReference extends Error {
  override readonly name = 'UnknownReference'
}

const GROUP_INDEXES = new Set([
  'group_type_index',
  'aggregation_group_type_index',
  'math_group_type_index',
  'breakdown_group_type_index',
])

/** Members whose contents are values of people, in which nothing is a reference. */
const OPAQUE = new Set(['payloads', 'metadata', 'holdout'])

/** @throws UnknownReference. */
export function mapReferences(value: JsonObject, references: References): JsonObject {
  const node = (each: JsonValue): JsonValue => {
    if (isArray(each)) return each.map(node)
    return isObject(each) ? object(each) : each
  }

  function object(of: JsonObject): JsonObject {
    return Object.fromEntries(
      Object.entries(of).map(([key, member]) => [key, memberOf(of, key, member ?? null)]),
    )
  }

  function memberOf(of: JsonObject, key: string, member: JsonValue): JsonValue {
    if (OPAQUE.has(key) || member === null) return member
    if (GROUP_INDEXES.has(key)) return references.groupType(member)
    if (key === 'value' && of.type === 'cohort') return each(member, references.cohort)
    if (key === 'key' && of.type === 'flag' && of.operator === 'flag_evaluates_to')
      return references.flag(member)
    if (key === 'breakdown' && of.breakdown_type === 'cohort')
      return each(member, (cohort) => (cohort === 'all' ? cohort : references.cohort(cohort)))
    if (of.kind === 'HogQLQuery' && key === 'query' && typeof member === 'string')
      return mapCohortsInText(member, references)
    if (of.kind === 'HogQLQuery' && key === 'variables' && isObject(member)) return variables(member)
    return node(member)
  }

  function variables(of: JsonObject): JsonObject {
    const mapped = Object.entries(of).map(([key, variable]): [string, JsonValue] => {
      const to = references.variable(key)
      return [String(to), isObject(variable) ? { ...variable, variableId: to } : (variable ?? null)]
    })
    return Object.fromEntries(mapped)
  }

  return object(value)
}

/** Converts references, or says which of them leads nowhere. */
export function tryReferences(
  value: JsonObject,
  references: References,
): { mapped: JsonObject | null; problem: string | null } {
  try {
    return { mapped: mapReferences(value, references), problem: null }
  } catch (error) {
    if (!(error instanceof UnknownReference)) throw error
    return { mapped: null, problem: error.message }
  }
}

const each = (value: JsonValue, map: (one: JsonValue) => JsonValue): JsonValue =>
  isArray(value) ? value.map(map) : map(value)

/**
 * Matches texts and comments, which are skipped. One without an end extends to the end of the query, because looking for an end from each
 * quote again would take quadratic time.
 */
const COHORT_IN_TEXT =
  /'(?:\\.|''|[^'\\])*(?:'|\\?$)|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|\b(COHORT\s+)(?:(\d+)|'((?:\\.|''|[^'\\])*)')/gi

/** Converts cohorts in `IN COHORT 12` and `IN COHORT 'Name'`. An unknown name stays, because it may be an alias of a column. */
function mapCohortsInText(sql: string, { cohort }: References): string {
  return sql.replace(COHORT_IN_TEXT, (all: string, word?: string, id?: string, name?: string) => {
    if (word === undefined) return all
    const to = cohort(id === undefined ? unquoted(name!) : Number(id))
    return word + (typeof to === 'number' ? String(to) : `'${String(to).replaceAll(/['\\]/g, '\\$&')}'`)
  })
}

const unquoted = (text: string) => text.replaceAll("''", "'").replaceAll(/\\(.)/g, '$1')

/** The keys that an item names, of one kind. */
export function referencesOf(value: JsonObject, kind: keyof References): string[] {
  const found = new Set<string>()
  const keep = (reference: JsonValue) => reference
  const collect = (reference: JsonValue) => {
    found.add(String(reference))
    return reference
  }
  mapReferences(value, { cohort: keep, flag: keep, groupType: keep, variable: keep, [kind]: collect })
  return [...found]
}

/**
 * Sorts items so that each comes after those that it names. Those in a circle keep their order.
 * @param namesOf keys of the items that an item names
 */
export function inOrder<T extends { key: string }>(items: readonly T[], namesOf: (item: T) => string[]): T[] {
  const byKey = new Map(items.map((item) => [item.key, item]))
  const ordered = new Set<T>()
  const entered = new Set<T>()
  const visit = (start: T) => {
    // The stack is a list, because a chain may be longer than the runtime's stack.
    const stack = [start]
    while (stack.length > 0) {
      const item = stack.at(-1)!
      const waiting = entered.has(item)
        ? []
        : namesOf(item).flatMap((key) => {
            const named = byKey.get(key)
            return named && !entered.has(named) ? [named] : []
          })
      entered.add(item)
      if (waiting.length === 0) ordered.add(stack.pop()!)
      // One call with all of them would be too long for the runtime's stack.
      for (const named of waiting) stack.push(named)
    }
  }
  for (const item of items) visit(item)
  return [...ordered]
}
