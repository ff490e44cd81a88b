// Plans what an import does with each item, from the items of both sides. Pure.
import { isObject, type JsonObject, type JsonValue } from '../json'
import { canonicalJson, fingerprintOf } from './fingerprint'
import type { Item, Kind, TargetItem } from './model'
import { applyRules } from './rules'

/**
 * The action of a step. `create` and `update` write the item. `same` means that both sides are equal, `kept` that the target differs and
 * was edited or deleted there, and `blocked` that the item cannot be written.
 */
export type Action = 'create' | 'update' | 'same' | 'kept' | 'blocked'

export interface Step {
  action: Action
  item: Item
  /** The item of the target. It is null if there is none. */
  target: TargetItem | null
  /** Why an item is kept or blocked. */
  reason: string | null
  /** Fields that differ in the target. */
  fields: readonly string[]
  /** Distinct ids that are added to a static cohort. */
  added: readonly string[]
  /** Persons that are removed from it. */
  removed: readonly string[]
}

/** Fingerprints of an item after it was written. Null means that it was being written when the import ended. */
export interface Remembered {
  source: string | null
  target: string | null
  /** The fingerprint of the members of a static cohort that are persons of the target. */
  members?: string
  /** The fingerprint of the persons in it, if all of them were members at the source. */
  people?: string
}

export interface PlanFacts {
  items: readonly Item[]
  targets: readonly TargetItem[]
  /** Remembered items by kind and key. */
  memory: Readonly<Record<string, Remembered>>
  overwrite: boolean
  /** Distinct ids of persons of the target. */
  persons: ReadonlySet<string>
  /** Whether the import will also add persons of the source. */
  awaitsPersons: boolean
  /** Maximum group types of a project. */
  maxGroupTypes: number
}

export const itemId = ({ kind, key }: Pick<Item, 'kind' | 'key'>): string => `${kind} ${key}`

/** Returns steps in an order in which they can be taken. */
export function planImport(facts: PlanFacts): Step[] {
  const targets = new Map(facts.targets.map((target) => [itemId(target), target]))
  const known = (kind: Kind) => facts.targets.filter((target) => target.kind === kind).map(({ key }) => key)
  let groupTypes = known('group_type').length
  const blockedTypes = new Set<string>()
  const items = facts.items.map((item) => {
    if (item.kind !== 'group_type' || targets.has(itemId(item))) return item
    if (!isObject(item.initial?.group)) blockedTypes.add(item.key)
    else if (++groupTypes > facts.maxGroupTypes) blockedTypes.add(item.key)
    return blockedTypes.has(item.key)
      ? { ...item, problem: isObject(item.initial?.group) ? TOO_MANY(facts.maxGroupTypes) : NO_GROUP }
      : item
  })
  return applyRules(items, known)
    .filter((item) => targets.has(itemId(item)) || !isLearned(item))
    .map((item) => stepOf(withMissing(item, facts), targets.get(itemId(item)) ?? null, facts))
}

/**
 * Whether an item needs no writing: a definition with nothing that capture does not find out by itself, or settings that are unchanged.
 */
function isLearned({ kind, value }: Pick<Item, 'kind' | 'value'>): boolean {
  if (kind === 'project') return value.timezone === 'UTC' && value.require_evaluation_contexts === false
  return (
    (kind === 'event_definition' || kind === 'property_definition') &&
    value.description === '' &&
    value.verified === false &&
    value.hidden === false &&
    (value.tags as unknown[]).length === 0
  )
}

/** Says how many members cannot be added. */
function withMissing(item: Item, { persons, awaitsPersons }: PlanFacts): Item {
  const { members = [], changes } = item
  const missing = members.filter((member) => !persons.has(member)).length
  if (missing === 0 || awaitsPersons) return item
  return {
    ...item,
    changes: [
      ...changes,
      `${missing} of its ${members.length} members are left out: they are no persons here. Import persons, too`,
    ],
  }
}

const NO_GROUP = 'has no groups: a group type appears with its first group'
const TOO_MANY = (most: number) => `a project has at most ${most} group types`

function stepOf(item: Item, target: TargetItem | null, facts: PlanFacts): Step {
  const step = (action: Action, more: Partial<Step> = {}): Step => ({
    action,
    item,
    target,
    reason: null,
    fields: [],
    added: [],
    removed: [],
    ...more,
  })
  if (item.problem !== null) return step('blocked', { reason: item.problem })
  const remembered = facts.memory[itemId(item)] ?? null
  if (!target) return withoutTarget(item, remembered, facts, step)
  const { former, ...members } = memberChanges(item, target, remembered, facts)
  const changed = members.added.length + members.removed.length > 0 ? ['members'] : []
  const fields = fieldsThatDiffer(item.value, target.value)
  const update = (differing: readonly string[]) =>
    step('update', {
      ...members,
      fields: [...differing, ...changed],
      ...(former === 0 ? {} : { item: { ...item, changes: [...item.changes, formerMembers(former)] } }),
    })
  const unchanged = () =>
    changed.length > 0
      ? update([])
      : former > 0
        ? step('kept', { fields: ['members'], reason: formerMembers(former) })
        : step('same')
  if (fields.length === 0) return unchanged()
  if (item.kind === 'cohort' && item.value.is_static !== target.value.is_static)
    return step('blocked', {
      reason: `is ${target.value.is_static ? 'static' : 'dynamic'} here, and a cohort stays what it is`,
    })
  const [source, here] = [fingerprintOf(item.value), fingerprintOf(target.value)]
  const isUnfinished = remembered !== null && remembered.source === null
  const isUnedited = remembered === null ? isLearned(target) : remembered.target === here
  if (isUnedited && remembered?.source === source && !facts.overwrite) return unchanged()
  if (facts.overwrite || isUnfinished || isUnedited) return update(fields)
  const edited = remembered ? 'was edited here since the import' : 'is here already'
  return step('kept', { fields, reason: `${edited}, with other ${listed(fields)}` })
}

function withoutTarget(
  item: Item,
  remembered: Remembered | null,
  { overwrite, persons }: PlanFacts,
  step: (action: Action, more?: Partial<Step>) => Step,
): Step {
  if (item.kind === 'event_definition' || item.kind === 'property_definition')
    return step('blocked', {
      reason: 'is unknown here until it is captured: import again then, or with events and persons',
    })
  if (remembered && remembered.source !== null && !overwrite)
    return step('kept', { reason: 'was deleted here since the import' })
  return step('create', { added: (item.members ?? []).filter((member) => persons.has(member)) })
}

const formerMembers = (count: number) => `${count} of its members here are not at the source, and stay`

/**
 * Members that are persons of the target are added, unless they were removed there. Persons that are no members at the source are removed
 * if the cohort was not edited here since the import, and all members are persons here: others may be known here by another distinct id.
 */
function memberChanges(
  { members }: Item,
  target: TargetItem,
  remembered: Remembered | null,
  { persons, overwrite }: PlanFacts,
): { added: string[]; removed: string[]; former: number } {
  if (!members) return { added: [], removed: [], former: 0 }
  const present = members.filter((member) => persons.has(member))
  const isKnown = remembered?.members === fingerprintOf(present) && !overwrite
  const former = formerPeople(members, target)
  const isUnedited = remembered?.people === peopleOf(target) && present.length === members.length
  const isRemoved = overwrite || isUnedited
  return {
    added: isKnown ? [] : present.filter((member) => !target.people?.has(member)),
    removed: isRemoved ? former : [],
    former: isRemoved ? 0 : former.length,
  }
}

/** Returns the persons in a cohort of the target that are no members at the source. */
function formerPeople(members: readonly string[], { people }: TargetItem): string[] {
  const wanted = new Set(members.map((member) => people?.get(member)))
  return [...new Set(people?.values())].filter((person) => !wanted.has(person))
}

const peopleOf = ({ people }: TargetItem) => fingerprintOf([...new Set(people?.values())].toSorted())

/** Returns what is remembered of an item that both sides have. */
export const remember = (
  { value, members }: Item,
  target: TargetItem,
  persons: ReadonlySet<string>,
): Remembered => ({
  source: fingerprintOf(value),
  target: fingerprintOf(target.value),
  ...(members ? { members: fingerprintOf(members.filter((member) => persons.has(member))) } : {}),
  ...(members && formerPeople(members, target).length === 0 ? { people: peopleOf(target) } : {}),
})

/** Names the fields whose values differ. */
function fieldsThatDiffer(value: JsonObject, other: JsonObject): string[] {
  const keys = [...new Set([...Object.keys(value), ...Object.keys(other)])]
  return keys.filter((key) => canonicalJson(orNull(value[key])) !== canonicalJson(orNull(other[key])))
}

const orNull = (value: JsonValue | undefined): JsonValue => value ?? null

const listed = (names: readonly string[]) =>
  names.length < 2 ? names.join() : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
