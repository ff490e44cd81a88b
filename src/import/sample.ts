// Generates properties of people and groups from the conditions of flags and cohorts. Pure.
import { isArray, isObject, type JsonObject, type JsonValue } from '../json'
import type { Item } from './model'

/** Values by property, for people (null) and by group type. */
type Values = ReadonlyMap<string | null, ReadonlyMap<string, readonly string[]>>

export interface Sampler {
  person(number: number): JsonObject
  group(type: string, number: number): JsonObject
}

export function samplerOf(items: readonly Item[]): Sampler {
  const values = valuesIn(items)
  return {
    person: (number) => sampleOf(values.get(null), number),
    group: (type, number) => sampleOf(values.get(type), number),
  }
}

function valuesIn(items: readonly Item[]): Values {
  const values = new Map<string | null, Map<string, string[]>>()
  const add = (owner: string | null, name: string, more: readonly string[]) => {
    const own = values.get(owner) ?? new Map<string, string[]>()
    values.set(owner, own.set(name, [...(own.get(name) ?? []), ...more]))
  }
  for (const { kind, value } of items) {
    if (kind !== 'flag' && kind !== 'cohort') continue
    for (const condition of conditionsIn(value.filters ?? null)) {
      const { key, type, group_type_index: groupType } = condition
      if (type === 'group') add(String(groupType), String(key), textsOf(condition.value))
      else if (key !== 'distinct_id') add(null, String(key), textsOf(condition.value))
    }
  }
  return values
}

function* conditionsIn(node: JsonValue): Generator<JsonObject> {
  if (isArray(node)) for (const each of node) yield* conditionsIn(each)
  if (!isObject(node)) return
  if (typeof node.key === 'string' && (node.type === 'person' || node.type === 'group')) yield node
  else for (const member of Object.values(node)) yield* conditionsIn(member ?? null)
}

const textsOf = (value: JsonValue | undefined): string[] =>
  (isArray(value) ? value : [value ?? null])
    .filter((each) => each !== null && typeof each !== 'object')
    .map(String)

/** Values that the conditions name, others near them, or none. */
function sampleOf(values: ReadonlyMap<string, readonly string[]> | undefined, number: number): JsonObject {
  let rest = number
  const properties: Record<string, string> = {}
  for (const [name, all] of values ?? []) {
    const choices = [...(all.length > 0 ? all.flatMap(near) : ['any']), null]
    const choice = choices[rest % choices.length] ?? null
    rest = Math.floor(rest / choices.length) + number
    if (choice !== null) properties[name] = choice
  }
  return properties
}

/** A value, and some that a condition distinguishes from it. */
function near(value: string): string[] {
  if (value.trim() !== '' && !Number.isNaN(Number(value)))
    return [value, String(Number(value) + 1), String(Number(value) - 1)]
  return [value, `${value}x`, `x${value}`]
}
