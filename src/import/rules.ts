// Computes the result of writing an item: the stored form of its value and what that changes, or the rejection. It uses the service's own
// rules, so that a plan predicts a write's response. Pure.
import { apiErrorIn } from '../errors'
import { isName } from '../endpoints/field-checks'
import { parseQuery } from '../endpoints/query/parse-query'
import { codeNameOf } from '../endpoints/variables/code-name'
import { compileRegex } from '../evaluation/regex/regex'
import { ACTION_KEYS } from '../flags/approvals/approval-types'
import { validateCohortFilters } from '../flags/cohorts/cohort-filters'
import { leavesOf, type StoredCohort } from '../flags/filters/cohorts'
import type { DependencyTarget } from '../flags/filters/dependencies'
import { type FlagFilters, propertiesOf, textsOf } from '../flags/filters/flag-filters'
import { validateFilters } from '../flags/filters/validate'
import { isArray, isObject, type JsonObject, type JsonValue } from '../json'
import { cleanNames } from '../tags'
import { uuidOf } from '../digest-uuid'
import { type Item, type Kind, KINDS, numberedVersions } from './model'
import { type Names, referencesByName } from './posthog/names'
import { inOrder, mapReferences, type References, referencesOf, UnknownReference } from './references'
import { Ids } from './write/write-context'

/** Numbers that stand for keys, where the rules expect ids. */
interface Numbering {
  toIds: References
  toKeys: References
  idOf(kind: 'cohort' | 'flag', key: string): number
  cohortOf(item: Item): NamedItem<StoredCohort>
  targetOf(item: Item): NamedItem<DependencyTarget>
}

/** What the rules look up of an item that others name, and the keys that it names itself. */
interface NamedItem<T> {
  stored: T
  names: readonly string[]
}

/** Keeps the results of a function, because many flags may name an item. */
function oncePerItem<T>(compute: (item: Item) => T): (item: Item) => T {
  const known = new Map<Item, T>()
  return (item) => {
    const result = known.get(item) ?? compute(item)
    known.set(item, result)
    return result
  }
}

function numbering(items: readonly Item[], known: KnownKeys): Numbering {
  const numbered = (kind: Kind, first: number) => {
    const own = items.filter((item) => item.kind === kind).map(({ key }) => key)
    return new Map([...new Set([...own, ...known(kind)])].map((key, index) => [index + first, key]))
  }
  const variables = items.flatMap(({ kind, value }) =>
    kind === 'query' ? referencesOf(value, 'variable') : [],
  )
  const names: Names = {
    cohorts: numbered('cohort', 1),
    flags: numbered('flag', 1),
    groupTypes: numbered('group_type', 0),
    variables: new Map(variables.map((key) => [uuidOf(key), key])),
  }
  const ids = new Ids(names)
  const toIds = ids.references('which does not exist')
  const idOf = (kind: 'cohort' | 'flag', key: string) => Number(ids.find(kind, key))
  return {
    idOf,
    toIds,
    toKeys: referencesByName(names),
    cohortOf: oncePerItem(({ key, value }) => {
      const isStatic = value.is_static === true
      const filters = isStatic ? null : mapReferences(value.filters as JsonObject, toIds)
      return {
        stored: { id: idOf('cohort', key), name: key, isStatic, filters },
        names: referencesOf(value, 'cohort'),
      }
    }),
    targetOf: oncePerItem(({ key, value }) => {
      const dependencies = referencesOf(value, 'flag')
      const variants = textsOf(value.filters as unknown as FlagFilters)
      const dependsOn = dependencies.map((each) => Number(toIds.flag(each)))
      return {
        stored: { id: idOf('flag', key), key, active: true, variants, dependsOn },
        names: dependencies,
      }
    }),
  }
}

/** Returns the keys of a kind that the target has. */
export type KnownKeys = (kind: Kind) => readonly string[]

const REFERRED = { cohort: 'cohort', flag: 'flag', groupType: 'group_type' } as const
const TITLES = { cohort: 'the cohort', flag: 'the flag', groupType: 'the group type' } as const

/**
 * The items as they would be stored, in an order in which they can be written.
 * @param known keys of the target's items: what an item names may be there already.
 */
export function applyRules(items: readonly Item[], known: KnownKeys): Item[] {
  const numbers = numbering(items, known)
  const written = new Map<string, Item>()
  const knownKeys = new Map<Kind, ReadonlySet<string>>()
  const isKnown = (kind: Kind, key: string) => {
    if (!knownKeys.has(kind)) knownKeys.set(kind, new Set(known(kind)))
    return knownKeys.get(kind)!.has(key)
  }

  /** Whether an item is there, or comes before those that name it. */
  const isWritable = (kind: Kind, key: string) =>
    isKnown(kind, key) || written.get(`${kind} ${key}`)?.problem === null

  /** Why an item cannot be written, because of those that it names. */
  function missingReference({ value }: Item): string | null {
    for (const [of, kind] of Object.entries(REFERRED) as [keyof typeof REFERRED, Kind][]) {
      for (const key of referencesOf(value, of)) {
        const item = written.get(`${kind} ${key}`)
        if (item ? item.problem !== null && !isKnown(kind, key) : !isKnown(kind, key))
          return `needs ${TITLES[of]} ${key}, which ${item ? 'cannot come over' : 'does not exist'}`
      }
    }
    return null
  }

  const ordered = orderOf(items)
  for (const item of ordered) {
    const missing = item.problem === null ? missingReference(item) : null
    const checked =
      item.problem === null && missing === null
        ? checkItem(item, numbers, written, isWritable)
        : { ...item, problem: item.problem ?? missing }
    written.set(`${item.kind} ${item.key}`, checked)
  }
  return [...written.values()]
}

/** Sorts items by kind, and each after those to which it refers. */
function orderOf(items: readonly Item[]): Item[] {
  return KINDS.flatMap((kind) => {
    const own = items.filter((item) => item.kind === kind)
    if (kind === 'flag') return inOrder(own, ({ value }) => referencesOf(value, 'flag'))
    if (kind !== 'cohort') return own
    const namesakes = namesakesBefore(own)
    return inOrder(own, (item) => {
      const namesake = namesakes.get(item)
      return [...referencesOf(item.value, 'cohort'), ...(namesake === undefined ? [] : [namesake])]
    })
  })
}

/** Returns the cohort before each that has a name and kind already. Such cohorts are distinguished by the order of their ids. */
function namesakesBefore(cohorts: readonly Item[]): ReadonlyMap<Item, string> {
  const last = new Map<string, string>()
  const before = new Map<Item, string>()
  for (const item of cohorts) {
    const { name, is_static: isStatic } = item.value
    const id = JSON.stringify([name ?? null, isStatic ?? null])
    const namesake = last.get(id)
    if (namesake !== undefined) before.set(item, namesake)
    last.set(id, item.key)
  }
  return before
}

type Written = ReadonlyMap<string, Item>

type IsWritable = (kind: Kind, key: string) => boolean

function checkItem(item: Item, numbers: Numbering, written: Written, isWritable: IsWritable): Item {
  try {
    switch (item.kind) {
      case 'group_type':
        return item
      case 'event_definition':
      case 'property_definition':
        return { ...item, value: { ...item.value, tags: cleanedTags(item) } }
      case 'variable':
        return checkVariable(item)
      case 'cohort':
        return checkCohort(item, numbers)
      case 'flag':
        return checkFlag(item, numbers, written)
      case 'query':
        return checkQuery(item, numbers)
      case 'dashboard':
        return checkDashboard(item, isWritable)
      case 'scheduled_change': {
        const { flag } = item.value
        return isWritable('flag', String(flag))
          ? item
          : { ...item, problem: `needs the flag ${String(flag)}, which does not come over` }
      }
      case 'webhook':
        return { ...item, changes: [...item.changes, 'is created paused, with a new secret'] }
      case 'approval_policy':
        return ACTION_KEYS.some((key) => key === item.key)
          ? item
          : { ...item, problem: `there is no such action here: policies are for ${ACTION_KEYS.join(', ')}` }
      case 'project':
        return item
    }
  } catch (error) {
    return { ...item, problem: problemIn(error) }
  }
}

/** @throws what is no rejection. */
function problemIn(error: unknown): string {
  if (error instanceof UnknownReference) return error.message
  const rejection = apiErrorIn(error)
  if (rejection === null) throw error
  return rejection.detail.replace(/^JSON parse error - /, '')
}

const cleanedTags = ({ value }: Item) => cleanNames((value.tags ?? []) as string[])

/** Removes tiles of queries and flags that do not exist. */
function checkDashboard(item: Item, isWritable: IsWritable): Item {
  const tiles = item.value.tiles as readonly { endpoint: string }[]
  const flags = item.value.flags as readonly string[]
  const pinned = tiles.filter(({ endpoint }) => isWritable('query', endpoint))
  const missing = tiles.filter((tile) => !pinned.includes(tile)).map(({ endpoint }) => endpoint)
  return {
    ...item,
    value: {
      ...item.value,
      tiles: pinned as unknown as JsonValue,
      flags: flags.filter((key) => isWritable('flag', key)),
    },
    changes: [
      ...item.changes,
      ...(missing.length > 0
        ? [`has no tiles of ${missing.join(', ')}: these saved queries do not come over`]
        : []),
    ],
  }
}

function checkVariable(item: Item): Item {
  // A new variable's code name comes from its name.
  const isPossible = codeNameOf(item.key.replaceAll('_', ' ')) === item.key
  return isPossible
    ? item
    : { ...item, problem: 'a code name has lower-case letters, digits and underscores here' }
}

function checkCohort(item: Item, { toIds, toKeys }: Numbering): Item {
  if (item.value.is_static === true) return item
  if (!isObject(item.value.filters))
    return { ...item, problem: 'has neither conditions nor a list of members' }
  const filters = validateCohortFilters(mapReferences(item.value.filters, toIds), null)
  return {
    ...item,
    value: { ...item.value, filters: mapReferences(filters as JsonObject, toKeys) },
    changes: [...item.changes, ...patternChanges([...leavesOf(filters)] as Condition[])],
  }
}

function checkFlag(item: Item, numbers: Numbering, written: Written): Item {
  const { toIds, toKeys, idOf } = numbers
  const sent = mapReferences(item.value.filters as JsonObject, toIds)
  const common = { ...item, value: { ...item.value, tags: cleanedTags(item) } }
  const hasNoSets = isArray(sent.groups) && sent.groups.length === 0
  if (hasNoSets && Object.values(sent).every(isNothing))
    return { ...common, value: { ...common.value, filters: { groups: [] } } }
  const filters = validateFilters(sent, {
    self: { id: idOf('flag', item.key), key: item.key },
    // A flag gets filters that a creation would change or reject by an update: `createFlag`.
    stored: hasNoSets ? { groups: [] } : null,
    isRemoteConfiguration: false,
    linkedToEarlyAccess: false,
    // Flags count as enabled: those that are not are disabled once all are written.
    targets: namedBy('flag', item, written, numbers, numbers.targetOf, (id, key) => ({
      id,
      key,
      active: true,
      variants: null,
      dependsOn: [],
    })),
    cohorts: namedBy('cohort', item, written, numbers, numbers.cohortOf, (id, name) => ({
      id,
      name,
      isStatic: false,
      filters: null,
    })),
  })
  return {
    ...common,
    value: { ...common.value, filters: mapReferences(filters as unknown as JsonObject, toKeys) },
    changes: [
      ...item.changes,
      ...patternChanges([...propertiesOf(filters)].map(({ property }) => property as Condition)),
      ...legacyChanges(sent),
    ],
  }
}

const isNothing = (value: JsonValue | undefined) =>
  (value ?? null) === null || (typeof value === 'object' && Object.keys(value!).length === 0)

/**
 * Returns what an item names, directly and through others, by id.
 * @param storedOf what the rules look up of an item that is written
 * @param unread the same of one that only the target has
 */
function namedBy<T>(
  kind: 'cohort' | 'flag',
  item: Item,
  written: Written,
  { idOf }: Numbering,
  storedOf: (item: Item) => NamedItem<T>,
  unread: (id: number, key: string) => T,
): Map<number, T> {
  const named = new Map<number, T>()
  const waiting = new Set(referencesOf(item.value, kind))
  // The set grows while it is walked.
  for (const key of waiting) {
    const id = idOf(kind, key)
    const found = written.get(`${kind} ${key}`)
    const { stored, names } = found ? storedOf(found) : { stored: unread(id, key), names: [] }
    named.set(id, stored)
    for (const each of names) waiting.add(each)
  }
  return named
}

interface Condition {
  key?: unknown
  operator?: unknown
  value?: unknown
}

/** Patterns that no linear-time engine runs. */
const patternChanges = (conditions: readonly Condition[]): string[] =>
  conditions
    .filter(
      ({ operator, value }) =>
        (operator === 'regex' || operator === 'not_regex') &&
        typeof value === 'string' &&
        compileRegex(value) === 'invalid',
    )
    .map(
      ({ key, value }) =>
        `the pattern ${String(value)} of ${String(key)} runs in steps here: a match of more than 1,000,000 of them, in a very long text, counts as none`,
    )

const LEGACY: Readonly<Record<string, string>> = { min: 'gte', max: 'lte' }

const legacyChanges = (sent: JsonObject): string[] => [
  ...new Set(
    [...propertiesOf(sent as unknown as FlagFilters)].flatMap(({ property: { operator } }) =>
      typeof operator === 'string' && Object.hasOwn(LEGACY, operator)
        ? [`the operator ${operator} becomes ${LEGACY[operator]}, which is the same`]
        : [],
    ),
  ),
]

/** Returns the id of an action that a query names, which another action may have at the target. */
function actionIn(query: JsonValue): string | null {
  if (typeof query === 'string') return /\bmatchesAction\s*\(\s*(\d+)/i.exec(query)?.[1] ?? null
  if (typeof query !== 'object' || query === null) return null
  if (isObject(query)) {
    const { kind, type, id, actionId } = query
    const named = kind === 'ActionsNode' || type === 'actions' ? id : actionId
    if ((named ?? null) !== null) return String(named)
  }
  for (const part of Object.values(query)) {
    const found = actionIn(part ?? null)
    if (found !== null) return found
  }
  return null
}

function checkQuery(item: Item, { toIds, toKeys }: Numbering): Item {
  if (!isName(item.key))
    return { ...item, problem: 'a name is a letter, then letters, digits, - and _, at most 128 characters' }
  const versions = numberedVersions(item)
  const changes = [...item.changes]
  const kept: JsonObject[] = []
  const numbers: number[] = []
  for (const { version, number } of versions) {
    try {
      const action = actionIn(version.query ?? null)
      if (action !== null)
        throw new UnknownReference(`names the action ${action}, and actions are not imported`)
      const query = parseQuery(mapReferences(version.query as JsonObject, toIds))
      kept.push({ ...version, query: mapReferences(query as unknown as JsonObject, toKeys) })
      numbers.push(number)
    } catch (error) {
      // The current version is what callers run; an earlier one is history.
      if (number === versions.at(-1)!.number) throw error
      changes.push(`version ${number} is left out: ${problemIn(error)}`)
    }
  }
  if (kept.length === 0) return { ...item, problem: 'has no versions that can be read' }
  for (const [index, number] of numbers.entries())
    if (number !== index + 1) changes.push(`version ${number} becomes version ${index + 1}`)
  const value = { ...item.value, tags: cleanedTags(item), versions: kept }
  return { ...item, changes, value, initial: { ...item.initial, numbers } }
}
