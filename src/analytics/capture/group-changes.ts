import type { JsonObject } from '../../json'
import type { GroupIdentify, GroupName, Problem } from './event-parts'
import type { CapturedEvent } from './parse-event'
import { MAX_GROUP_TYPES } from '../../evaluation/groups'
import { MAX_PROPERTIES_BYTES, PropertyBag } from './property-bag'

export interface StoredGroup extends GroupName {
  properties: JsonObject | null
  createdAt: string
  version: number
}

/** A group to write. `expectedVersion` is null for a new group. */
export interface GroupRow {
  typeIndex: number
  key: string
  properties: JsonObject
  createdAt: string
  expectedVersion: number | null
}

export interface GroupChanges {
  newTypes: { name: string; index: number }[]
  /** The indexes of all types of the project. */
  typeIndexes: ReadonlyMap<string, number>
  rows: GroupRow[]
  problems: Problem[]
}

interface GroupDraft {
  properties: PropertyBag
  row: Omit<GroupRow, 'properties'>
  isChanged: boolean
}

/** Returns the key of a group in maps. */
export const groupNameText = ({ type, key }: GroupName): string => JSON.stringify([type, key])

/**
 * Applies events to the groups that they describe. A new group type, in `$groupidentify` or `$groups`, gets the next index.
 * @param events in order of arrival, which were not applied before
 * @param types indexes of the project's group types
 * @param groups stored groups of the events, by `groupNameText`
 */
export function changeGroups(
  events: readonly CapturedEvent[],
  types: ReadonlyMap<string, number>,
  groups: ReadonlyMap<string, StoredGroup>,
): GroupChanges {
  const typeIndexes = new Map(types)
  const drafts = new Map<string, GroupDraft>()
  const problems: Problem[] = []

  const indexOf = (type: string): number | null => {
    const known = typeIndexes.get(type)
    if (known !== undefined) return known
    if (typeIndexes.size >= MAX_GROUP_TYPES) return null
    const next = Math.max(-1, ...typeIndexes.values()) + 1
    typeIndexes.set(type, next)
    return next
  }

  for (const event of events) {
    const report = (attr: string, detail: string) => void problems.push({ index: event.index, detail, attr })
    const { groupIdentify } = event
    if (groupIdentify) {
      const typeIndex = indexOf(groupIdentify.type)
      if (typeIndex === null) report('properties__$group_type', tooManyTypes(groupIdentify.type))
      else if (event.changesPeople)
        describe(groupIdentify, typeIndex, event.timestamp, groups, drafts, report)
    }
    // One problem of an event: each would have an example, which costs as much as `$groups` is large.
    const [first, ...others] = event.groups.filter(({ type }) => indexOf(type) === null)
    if (first) report('properties__$groups', tooManyTypes(first.type, others.length > 0))
  }

  return {
    newTypes: [...typeIndexes]
      .filter(([name]) => !types.has(name))
      .map(([name, typeIndex]) => ({ name, index: typeIndex })),
    typeIndexes,
    rows: [...drafts.values()]
      .filter(({ isChanged }) => isChanged)
      .map(({ row, properties }) => ({ ...row, properties: properties.toJson() })),
    problems,
  }
}

const tooManyTypes = (type: string, hasOthers = false) =>
  hasOthers
    ? `"${type}" and others would be group types more than the ${MAX_GROUP_TYPES} that a project can have; they are ignored.`
    : `"${type}" would be a group type more than the ${MAX_GROUP_TYPES} that a project can have; it is ignored.`

function describe(
  group: GroupIdentify,
  typeIndex: number,
  timestamp: string,
  groups: ReadonlyMap<string, StoredGroup>,
  drafts: Map<string, GroupDraft>,
  report: (attr: string, detail: string) => void,
): void {
  const name = groupNameText(group)
  const draft = drafts.get(name) ?? draftOf(group, typeIndex, timestamp, groups.get(name))
  drafts.set(name, draft)
  const outcome = draft.properties.change({ set: group.set, setOnce: {}, unset: [] })
  if (outcome.kind === 'too large') {
    const detail = `A group's properties may not take more than ${MAX_PROPERTIES_BYTES} bytes; they stay as they were.`
    report('properties__$group_set', detail)
  } else if (outcome.changed.length > 0) draft.isChanged = true
}

const draftOf = (
  { key }: GroupName,
  typeIndex: number,
  timestamp: string,
  stored: StoredGroup | undefined,
): GroupDraft => ({
  row: {
    typeIndex,
    key,
    createdAt: stored?.createdAt ?? timestamp,
    expectedVersion: stored?.version ?? null,
  },
  properties: new PropertyBag(stored ? stored.properties : {}),
  isChanged: stored === undefined,
})

/** Adds `$group_<index>` for each group of a known type. It takes precedence over properties of the event. */
export function withGroupIndexes(
  { properties, groups }: CapturedEvent,
  typeIndexes: ReadonlyMap<string, number>,
): JsonObject {
  const numbered = groups.flatMap(({ type, key }): [string, string][] => {
    const typeIndex = typeIndexes.get(type)
    return typeIndex === undefined ? [] : [[`$group_${typeIndex}`, key]]
  })
  return numbered.length ? { ...properties, ...Object.fromEntries(numbered) } : properties
}
