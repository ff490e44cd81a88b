import type { JsonObject } from '../../json'
import { isCopiedAlone } from './copied-properties'
import type { PersonPart, Problem } from './event-parts'
import type { CapturedEvent } from './parse-event'
import { MAX_PROPERTIES_BYTES, PropertyBag } from './property-bag'

export interface PersonChanges {
  rows: PersonRow[]
  newDistinctIds: { distinctId: string; personUuid: string }[]
  /** Stored persons that are merged into another. Their distinct ids move to it. */
  merges: { personId: number; intoUuid: string }[]
  /** The number of distinct ids that move. */
  movedIds: number
  /** Versions of stored persons, for the write guard. */
  expected: { personId: number; version: number }[]
  /** Names of the properties that an event changed, by the event's uuid. Events without changes are left out. */
  changedNames: ReadonlyMap<string, readonly string[]>
  /** Uuids of the events of which properties were copied to their person. */
  copied: ReadonlySet<string>
  problems: Problem[]
}

type PersonalEvent = CapturedEvent & { person: PersonPart }

const isPersonal = (event: CapturedEvent): event is PersonalEvent => event.person !== null

/**
 * Applies events to their persons.
 * @param events in order of arrival, which were not applied before
 * @param people stored persons by distinct id
 */
export function changePersons(
  events: readonly CapturedEvent[],
  people: ReadonlyMap<string, StoredPerson>,
  newUuid: () => string,
  maxDistinctIds = MAX_DISTINCT_IDS,
): PersonChanges {
  const drafts = draftsOf(people)
  const newDistinctIds = new Set<string>()
  const changedNames = new Map<string, readonly string[]>()
  const copiedFrom = new Set<string>()
  const problems: Problem[] = []

  const draftFor = (distinctId: string): PersonDraft | undefined => {
    const draft = drafts.get(distinctId)
    return draft && survivorOf(draft)
  }

  const attach = (distinctId: string, draft: PersonDraft) => {
    draft.distinctIdCount += 1
    drafts.set(distinctId, draft)
    newDistinctIds.add(distinctId)
    draft.isChanged = true
  }

  /** Whether a merge stays within `maxDistinctIds`. */
  const isWithinLimit = (merge: Merge, known: PersonDraft | undefined): boolean => {
    const other = draftFor(merge.distinctId)
    return known === other || (known?.distinctIdCount ?? 1) + (other?.distinctIdCount ?? 1) <= maxDistinctIds
  }

  for (const event of events.filter(isPersonal)) {
    const report = (detail: string, attr: string) => void problems.push({ index: event.index, detail, attr })
    const { distinctId, person } = event
    const known = draftFor(distinctId)
    const merge = person.merge && isWithinLimit(person.merge, known) ? person.merge : null
    if (person.merge && !merge) report(tooManyIds(person.merge.distinctId, maxDistinctIds), person.merge.attr)
    const other = merge && draftFor(merge.distinctId)
    let draft = known
    if (!draft) {
      // One of both ids belongs to a person, who gets the other one too.
      draft = other ?? newPerson(event, newUuid)
      attach(distinctId, draft)
    }
    if (merge && !other) attach(merge.distinctId, draft)
    if (merge && other && other !== draft) draft = join(draft, other, merge, report)
    if (person.identifies && !draft.isIdentified) {
      draft.isIdentified = true
      draft.isChanged = true
    }
    const changed = applyProperties(draft, person, report)
    const copied = applyCopies(draft, person, changed.length > 0, report)
    if (copied.length > 0) copiedFrom.add(event.uuid)
    if (event.setsProperties || copied.length > 0) changedNames.set(event.uuid, [...changed, ...copied])
  }

  const all = [...new Set(drafts.values())]
  const written = all.filter((draft) => draft.isChanged && !draft.mergedInto)
  const merged = all.flatMap(({ mergedInto, stored }) =>
    mergedInto && stored ? [{ mergedInto, stored }] : [],
  )
  return {
    rows: written.map(({ uuid, properties, isIdentified, createdAt, distinctIdCount }) => ({
      uuid,
      properties: properties.toJson(),
      isIdentified,
      createdAt,
      distinctIdCount,
    })),
    newDistinctIds: [...newDistinctIds].map((distinctId) => ({
      distinctId,
      personUuid: draftFor(distinctId)!.uuid,
    })),
    merges: merged.map(({ mergedInto, stored }) => ({
      personId: stored.id,
      intoUuid: survivorOf(mergedInto).uuid,
    })),
    movedIds: merged.reduce((sum, { stored }) => sum + stored.distinctIdCount, 0),
    expected: [...written.flatMap(({ stored }) => stored ?? []), ...merged.map(({ stored }) => stored)].map(
      ({ id, version }) => ({ personId: id, version }),
    ),
    changedNames,
    copied: copiedFrom,
    problems,
  }
}

type Merge = NonNullable<PersonPart['merge']>
type ReportPerson = (detail: string, attr: string) => void

/**
 * Merges two persons. Properties of `into` take precedence.
 * @returns the one that stays
 */
function join(
  into: PersonDraft,
  from: PersonDraft,
  { distinctId, evenIdentified, attr }: Merge,
  report: ReportPerson,
): PersonDraft {
  if (from.isIdentified && !evenIdentified) {
    report(`"${distinctId}" is already identified, so it is not merged.`, attr)
    return into
  }
  if (into.properties.absorb(from.properties) === 'too large') report(TOO_LARGE, attr)
  const { properties, isIdentified } = into
  const createdAt = from.createdAt < into.createdAt ? from.createdAt : into.createdAt
  const distinctIdCount = into.distinctIdCount + from.distinctIdCount
  const isFewer = from.distinctIdCount <= Math.max(into.distinctIdCount, MAX_MOVED_IDS)
  const [survivor, merged] = isFewer ? [into, from] : [from, into]
  Object.assign(survivor, { properties, isIdentified, createdAt, distinctIdCount, isChanged: true })
  merged.mergedInto = survivor
  return survivor
}

/** Returns the person into which this one was merged, or itself. It shortens the path, so that a chain of merges is walked once. */
function survivorOf(draft: PersonDraft): PersonDraft {
  let survivor = draft
  while (survivor.mergedInto) survivor = survivor.mergedInto
  for (let each = draft; each.mergedInto && each.mergedInto !== survivor;) {
    const next: PersonDraft = each.mergedInto
    each.mergedInto = survivor
    each = next
  }
  return survivor
}

const tooManyIds = (distinctId: string, max: number) =>
  `A person may have at most ${max} distinct ids, so "${distinctId}" is not merged.`

const TOO_LARGE = `A person's properties may not take more than ${MAX_PROPERTIES_BYTES} bytes; they stay as they were.`

const NOT_COPIED = `A person's properties may not take more than ${MAX_PROPERTIES_BYTES} bytes; those of the event are not copied.`

/** @returns names of the properties that change */
function applyProperties(
  draft: PersonDraft,
  { changes }: PersonPart,
  report: ReportPerson,
): readonly string[] {
  const outcome = draft.properties.change(changes)
  if (outcome.kind === 'too large') {
    report(TOO_LARGE, 'properties')
    return []
  }
  if (outcome.changed.length > 0) draft.isChanged = true
  return outcome.changed
}

/**
 * Copies properties of an event to its person. New values of a page or a device are copied only with other changes, so that a page view
 * does not write the person.
 * @returns names of the properties that change
 */
function applyCopies(
  draft: PersonDraft,
  { copies }: PersonPart,
  hasOtherChanges: boolean,
  report: ReportPerson,
): readonly string[] {
  if (!copies) return []
  const isWorthwhile = hasOtherChanges || copies.isAlwaysCopied ? undefined : isCopiedAlone
  const outcome = draft.properties.change(copies, isWorthwhile)
  if (outcome.kind === 'too large') {
    report(NOT_COPIED, 'properties')
    return []
  }
  if (outcome.changed.length > 0) draft.isChanged = true
  return outcome.changed
}

export interface PersonRow {
  uuid: string
  properties: JsonObject
  isIdentified: boolean
  createdAt: string
  distinctIdCount: number
}

/** A stored person. Its properties are null when they were not read, because no event changes them. */
export interface StoredPerson extends Omit<PersonRow, 'properties'> {
  id: number
  version: number
  properties: JsonObject | null
}

/** A person while events are applied. */
interface PersonDraft extends Omit<PersonRow, 'properties'> {
  properties: PropertyBag
  stored: StoredPerson | null
  isChanged: boolean
  /** See `survivorOf`. */
  mergedInto: PersonDraft | null
}

/**
 * Distinct ids that move with a merged person who has more of them than the other. Beyond it the other one is merged, so that few events cannot move
 * the same thousands of ids again and again.
 */
const MAX_MOVED_IDS = 10

/** Maximum distinct ids of a person. */
export const MAX_DISTINCT_IDS = 10_000

/** Returns drafts by distinct id. The ids of one person share a draft. */
function draftsOf(people: ReadonlyMap<string, StoredPerson>): Map<string, PersonDraft> {
  const byId = new Map<number, PersonDraft>()
  const drafts = new Map<string, PersonDraft>()
  for (const [distinctId, stored] of people) {
    const { id, uuid, properties, isIdentified, createdAt, distinctIdCount } = stored
    const draft = byId.get(id) ?? {
      uuid,
      properties: new PropertyBag(properties),
      isIdentified,
      createdAt,
      stored,
      isChanged: false,
      distinctIdCount,
      mergedInto: null,
    }
    byId.set(id, draft)
    drafts.set(distinctId, draft)
  }
  return drafts
}

const newPerson = ({ timestamp }: CapturedEvent, newUuid: () => string): PersonDraft => ({
  uuid: newUuid(),
  properties: new PropertyBag({}),
  isIdentified: false,
  createdAt: timestamp,
  stored: null,
  isChanged: true,
  distinctIdCount: 0,
  mergedInto: null,
})
