// Keys of the items of a project, by the ids that PostHog's API has for them.
import { isObject, type JsonObject, type JsonValue } from '../../json'
import { type References, UnknownReference } from '../references'

export interface Names {
  /** Names of cohorts by id. */
  cohorts: ReadonlyMap<number, string>
  flags: ReadonlyMap<number, string>
  groupTypes: ReadonlyMap<number, string>
  variables: ReadonlyMap<string, string>
}

/** Returns the names of what the API lists. */
export const namesOf = ({
  cohorts,
  flags,
  types,
  variables,
}: Record<'cohorts' | 'flags' | 'types' | 'variables', readonly JsonObject[]>): Names => ({
  cohorts: cohortKeys(cohorts),
  flags: new Map(flags.map(({ id, key }) => [Number(id), String(key)])),
  groupTypes: new Map(types.map((type) => [Number(type.group_type_index), String(type.group_type)])),
  variables: new Map(variables.map(({ id, code_name: name }) => [String(id), String(name)])),
})

/**
 * Returns keys of cohorts, by id. Of several with one name, dynamic ones come first, in order of their ids. The order is the same on both
 * sides, because cohorts are written in it.
 */
function cohortKeys(cohorts: readonly JsonObject[]): Map<number, string> {
  const ordered = cohorts.toSorted(byKindAndId)
  const keys = uniqueNames(ordered.map(nameOf))
  return new Map(ordered.map(({ id }, index) => [Number(id), keys[index]!]))
}

const byKindAndId = (a: JsonObject, b: JsonObject): number =>
  Number(a.is_static === true) - Number(b.is_static === true) || Number(a.id) - Number(b.id)

export const nameOf = ({ name }: JsonObject): string =>
  typeof name === 'string' && name !== '' ? name : '(unnamed)'

/** Makes names unique: of several equal ones, all but the first get a number with which none of the others is equal. */
export function uniqueNames(names: readonly string[]): string[] {
  const taken = new Set(names)
  /** The last number that each name got. */
  const numbers = new Map<string, number>()
  return names.map((name) => {
    let number = (numbers.get(name) ?? 0) + 1
    while (number > 1 && taken.has(`${name} (${number})`)) number += 1
    numbers.set(name, number)
    return number === 1 ? name : `${name} (${number})`
  })
}

const GROUP_TYPE = 'the group type'

function rejectUnknown(kind: string, reference: JsonValue): never {
  const why = kind === GROUP_TYPE ? ': it appears with its first group' : ''
  throw new UnknownReference(`names ${kind} ${String(reference)}, which does not exist${why}`)
}

/** The key of a deleted item. No key of a flag has spaces. @see referencesByName */
export const markUnknown = (_kind: string, reference: JsonValue): string => `${String(reference)} (deleted)`

/**
 * Returns functions that convert ids to keys.
 * @param unknown the replacement of an id without an item; by default UnknownReference is thrown
 */
export function referencesByName(
  { cohorts, flags, groupTypes, variables }: Names,
  unknown: (kind: string, reference: JsonValue) => string = rejectUnknown,
): References {
  const lookUp = (kind: string, names: ReadonlyMap<number, string>) => (reference: JsonValue) =>
    names.get(Number(reference)) ?? unknown(kind, reference)
  const cohort = lookUp('the cohort', cohorts)
  return {
    // SQL may also refer to a cohort by name.
    cohort: (reference) =>
      typeof reference === 'string' && !/^\d+$/.test(reference) ? reference : cohort(reference),
    flag: lookUp('the flag', flags),
    groupType: lookUp(GROUP_TYPE, groupTypes),
    variable: (id) => variables.get(String(id)) ?? id,
  }
}

/** Returns the name in a summary of a user that people know. */
export function authorOf(user: JsonValue | undefined): string | null {
  if (!isObject(user)) return null
  const { email, first_name: first } = user
  return typeof email === 'string' && email !== '' ? email : typeof first === 'string' ? first : null
}
