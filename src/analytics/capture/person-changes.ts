import { sameJson } from '../../activity/diff'
import type { JsonObject } from '../../json'
import type { PersonPart, Problem } from './event-parts'
import type { CapturedEvent } from './parse-event'
import {
  absorb,
  type Bag,
  change,
  MAX_PROPERTIES_BYTES,
  namesIn,
  type PropertyChanges,
} from './property-changes'

export interface PersonChanges {
  rows: PersonRow[]
  newDistinctIds: { distinctId: string; personUuid: string }[]
  /** Stored persons to merge into another: their distinct ids move to it. */
  merges: { personId: number; intoUuid: string }[]
  /** Versions for the write guard. */
  expected: { personId: number; version: number }[]
  /** Properties that an event changed, by its uuid. Only for events with changes. */
  changedNames: ReadonlyMap<string, readonly string[]>
  problems: Problem[]
}

type PersonalEvent = CapturedEvent & { person: PersonPart }

const isPersonal = (event: CapturedEvent): event is PersonalEvent => event.person !== null

/**
 * Applies events to their persons.
 * @param events in order of arrival, not applied before
 * @param people stored persons by distinct id
 * @param distinctIdCounts number of distinct ids by id of a person, where an event may add one
 */
export function changePersons(
  events: readonly CapturedEvent[],
  people: ReadonlyMap<string, StoredPerson>,
  distinctIdCounts: ReadonlyMap<number, number>,
  newUuid: () => string,
  maxDistinctIds = MAX_DISTINCT_IDS,
): PersonChanges {
  const drafts = draftsOf(people, distinctIdCounts)
  const newDistinctIds = new Set<string>()
  const changedNames = new Map<string, readonly string[]>()
  const problems: Problem[] = []

  const attach = (distinctId: string, draft: PersonDraft) => {
    draft.distinctIds.add(distinctId)
    draft.distinctIdCount += 1
    drafts.set(distinctId, draft)
    newDistinctIds.add(distinctId)
    draft.isChanged = true
  }

  /** Whether a merge stays within `maxDistinctIds`. */
  const isWithinLimit = (merge: Merge, known: PersonDraft | undefined): boolean => {
    const other = drafts.get(merge.distinctId)
    return known === other || (known?.distinctIdCount ?? 1) + (other?.distinctIdCount ?? 1) <= maxDistinctIds
  }

  for (const event of events.filter(isPersonal)) {
    const report = (detail: string, attr: string) => void problems.push({ index: event.index, detail, attr })
    const { distinctId, person } = event
    const known = drafts.get(distinctId)
    const merge = person.merge && isWithinLimit(person.merge, known) ? person.merge : null
    if (person.merge && !merge) report(tooManyIds(person.merge.distinctId, maxDistinctIds), person.merge.attr)
    const other = merge && drafts.get(merge.distinctId)
    let draft = known
    if (!draft) {
      // When one of both ids is known, its person gets the other.
      draft = other ?? newPerson(event, newUuid)
      attach(distinctId, draft)
    }
    if (merge && !other) attach(merge.distinctId, draft)
    if (merge && other && other !== draft) join(draft, other, merge, drafts, report)
    if (person.identifies && !draft.isIdentified) {
      draft.isIdentified = true
      draft.isChanged = true
    }
    const { properties: before } = draft
    applyProperties(draft, person, report)
    if (event.setsProperties)
      changedNames.set(event.uuid, namesChanged(person.changes, before, draft.properties))
  }

  const touched = [...new Set(drafts.values())].filter(({ isChanged }) => isChanged)
  return {
    rows: touched.map(({ uuid, properties, isIdentified, createdAt }) => ({
      uuid,
      properties,
      isIdentified,
      createdAt,
    })),
    newDistinctIds: [...newDistinctIds].map((distinctId) => ({
      distinctId,
      personUuid: drafts.get(distinctId)!.uuid,
    })),
    merges: touched.flatMap(({ absorbed, uuid }) =>
      absorbed.map(({ id }) => ({ personId: id, intoUuid: uuid })),
    ),
    expected: touched.flatMap(({ stored, absorbed }) =>
      [...(stored ? [stored] : []), ...absorbed].map(({ id, version }) => ({ personId: id, version })),
    ),
    changedNames,
    problems,
  }
}

const namesChanged = (changes: PropertyChanges, before: JsonObject, after: JsonObject): string[] =>
  before === after ? [] : namesIn(changes).filter((name) => !sameJson(before[name], after[name]))

type Merge = NonNullable<PersonPart['merge']>
type ReportPerson = (detail: string, attr: string) => void

/** Merges two persons. Properties of `into` take precedence. */
function join(
  into: PersonDraft,
  from: PersonDraft,
  { distinctId, evenIdentified, attr }: Merge,
  drafts: Map<string, PersonDraft>,
  report: ReportPerson,
): void {
  if (from.isIdentified && !evenIdentified) {
    report(`"${distinctId}" is already identified, so it is not merged.`, attr)
    return
  }
  if (absorb(into, from.properties) === 'too large') report(TOO_LARGE, attr)
  if (from.createdAt < into.createdAt) into.createdAt = from.createdAt
  if (from.stored) into.absorbed.push(from.stored)
  into.absorbed.push(...from.absorbed)
  for (const each of from.distinctIds) {
    into.distinctIds.add(each)
    drafts.set(each, into)
  }
  into.distinctIdCount += from.distinctIdCount
  into.isChanged = true
}

const tooManyIds = (distinctId: string, max: number) =>
  `A person may have at most ${max} distinct ids, so "${distinctId}" is not merged.`

const TOO_LARGE = `A person's properties may not take more than ${MAX_PROPERTIES_BYTES} bytes; they stay as they were.`

function applyProperties(draft: PersonDraft, { changes }: PersonPart, report: ReportPerson): void {
  switch (change(draft, changes)) {
    case 'changed':
      draft.isChanged = true
      return
    case 'too large':
      report(TOO_LARGE, 'properties')
      return
    case 'same':
  }
}

/** A new or changed person. */
export interface PersonRow {
  uuid: string
  properties: JsonObject
  isIdentified: boolean
  createdAt: string
}

export interface StoredPerson extends PersonRow {
  id: number
  version: number
}

/** A person while events are applied. */
export interface PersonDraft extends Bag, PersonRow {
  stored: StoredPerson | null
  isChanged: boolean
  /** Those that occur in this run. */
  distinctIds: Set<string>
  /** Set for persons that may get another id in this run. */
  distinctIdCount: number
  /** Stored persons that are merged into this one. */
  absorbed: StoredPerson[]
}

/** Per person. */
export const MAX_DISTINCT_IDS = 10_000

/** Drafts by distinct id; ids of one person share a draft. */
function draftsOf(
  people: ReadonlyMap<string, StoredPerson>,
  distinctIdCounts: ReadonlyMap<number, number>,
): Map<string, PersonDraft> {
  const byId = new Map<number, PersonDraft>()
  const drafts = new Map<string, PersonDraft>()
  for (const [distinctId, stored] of people) {
    const { id, version: _version, ...row } = stored
    const draft = byId.get(id) ?? {
      ...row,
      stored,
      bytes: null,
      isChanged: false,
      distinctIds: new Set(),
      distinctIdCount: distinctIdCounts.get(id) ?? 0,
      absorbed: [],
    }
    byId.set(id, draft)
    draft.distinctIds.add(distinctId)
    drafts.set(distinctId, draft)
  }
  return drafts
}

const newPerson = ({ timestamp }: CapturedEvent, newUuid: () => string): PersonDraft => ({
  uuid: newUuid(),
  properties: {},
  isIdentified: false,
  createdAt: timestamp,
  bytes: null,
  stored: null,
  isChanged: true,
  distinctIds: new Set(),
  distinctIdCount: 0,
  absorbed: [],
})
