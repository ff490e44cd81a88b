import { isLongerThan } from '../../characters'
import { cutIdentifier } from '../../evaluation/bucketing'
import { isObject, type JsonObject } from '../../json'
import { jsonBytes } from '../../json-bytes'
import { type Arrival, eventTime, type TimeProblem } from './parse-datetime'
import {
  CUT,
  type GroupIdentify,
  groupIdentifyOf,
  type GroupName,
  groupsOf,
  identifierIn,
  isEmpty,
  jsonIdentifier,
  NO_OBJECT,
  type PartProblem,
  type PersonPart,
  personPartOf,
  type Problem,
  type Report,
} from './event-parts'
import { hasPropertyChanges, changesIn } from './property-changes'

/** Maximum characters of a flag's key and result. Calls with longer keys are ignored, and longer results are cut. */
const MAX_FLAG_TEXT = 400

/** Maximum bytes of an event, which has to fit into one parameter. */
export const MAX_EVENT_BYTES = 800_000

/** Events that only change persons and groups, so that they have no effect without a profile. */
const WITHOUT_EFFECT: ReadonlySet<string> = new Set([
  '$identify',
  '$create_alias',
  '$merge_dangerously',
  '$groupidentify',
])

const NO_EFFECT = 'The event would change persons or groups, so with false it has no effect.'

/** Events that neither change nor create a person. Clients add changes to all their events, so that these are ignored without a report. */
const NEVER_PERSONAL: ReadonlySet<string> = new Set(['$exception', '$$heatmap'])

export interface CapturedEvent {
  index: number
  uuid: string
  event: string
  distinctId: string
  timestamp: string
  /**
   * Returns the timestamp for another time of arrival. The function is null where the timestamp does not depend on the arrival, and for
   * an event without a uuid, which cannot be repeated.
   */
  timestampAt: ((arrival: Date) => string) | null
  /** Properties, including the changes at the top level of the event. */
  properties: JsonObject
  /** Size of the name, distinct id and properties as JSON, including the properties that may be copied to its person. */
  bytes: number
  setsProperties: boolean
  /** Whether the event is stored. An event that only changes persons and groups is not, and queries do not count it. */
  isStored: boolean
  /** Whether the event changes persons and groups, unless it has no part about them. A moved event whose changes they already have does not. */
  changesPeople: boolean
  /** The person's part is null when the event changes neither persons nor groups. */
  person: PersonPart | null
  groups: GroupName[]
  /** It is null unless the event is `$groupidentify`. */
  groupIdentify: GroupIdentify | null
  /** It is null unless the event is `$feature_flag_called`. */
  flag: { key: string; response: string | null } | null
}

export interface ParseContext extends Arrival {
  newUuid(): string
}

export interface Parsed {
  /** The event is null when it is rejected. */
  event: CapturedEvent | null
  problems: Problem[]
}

/** The reason for which an event is rejected. */
class InvalidEvent extends Error {
  constructor(
    readonly attr: string | null,
    readonly detail: string,
  ) {
    super(detail)
  }
}

/**
 * Parses an event. It is rejected only where its name, its person or the event itself is missing, or where it is too large. Other parts
 * that cannot be read are left out and reported.
 * @param index of the event in the request, for reports
 */
export function parseEvent(raw: unknown, index: number, context: ParseContext): Parsed {
  try {
    return parseValid(raw, index, context)
  } catch (error) {
    if (!(error instanceof InvalidEvent)) throw error
    return { event: null, problems: [{ index, detail: error.detail, attr: error.attr }] }
  }
}

function parseValid(raw: unknown, index: number, context: ParseContext): Parsed {
  if (!isObject(raw)) throw new InvalidEvent(null, 'An event must be an object.')
  const problems: Problem[] = []
  const report: Report = (attr, detail, type) =>
    void problems.push({ index, detail, attr, ...(type ? { type } : {}) })
  const sent = isObject(raw.properties) ? raw.properties : {}
  if (sent !== raw.properties && !isEmpty(raw.properties)) report('properties', NO_OBJECT)
  const event = identifier('event', raw.event, report)
  const distinctId = identifier(
    'distinct_id',
    raw.distinct_id ?? raw.$distinct_id ?? sent.distinct_id,
    report,
  )
  const ignoresSentAt = sent.$ignore_sent_at === true
  const arrival = ignoresSentAt ? { ...context, sentAt: null } : context
  const { timestamp, dependsOnArrival, problem } = eventTime(raw, arrival)
  if (problem) report(...TIME_PROBLEMS[problem])
  else if (context.unreadableSentAt && !ignoresSentAt && !isEmpty(raw.timestamp) && isEmpty(raw.offset)) {
    const { attr, value } = context.unreadableSentAt
    problems.push({ index, detail: NOT_CORRECTED, attr, type: 'ignored_invalid_timestamp', sent: { value } })
  }
  const ownUuid = uuidOf(raw.uuid, report)
  const uuid = ownUuid ?? context.newUuid()

  const isStored = raw.people_only !== true
  const changesPeople = raw.event_only !== true || !isStored
  if (raw.event_only === true && !isStored)
    report('event_only', 'The event has `people_only`, so this is ignored.')
  const { $process_person_profile: hasProfile } = sent
  if (typeof hasProfile !== 'boolean' && !isEmpty(hasProfile))
    report('properties__$process_person_profile', 'Must be true or false, so this is ignored.')
  const isPersonal = hasProfile !== false
  if (!isPersonal && WITHOUT_EFFECT.has(event)) report('properties__$process_person_profile', NO_EFFECT)
  const mayHavePerson = isPersonal && !NEVER_PERSONAL.has(event)
  // A `$groupidentify` that is not stored describes a group and has no person.
  const hasPerson = mayHavePerson && changesPeople && (isStored || event !== '$groupidentify')
  if (isPersonal) reportMalformedChanges(raw, sent, report)
  const properties = isPersonal ? withTopLevelChanges(raw, sent) : sent
  const ownBytes = jsonBytes([event, distinctId, properties])
  if (ownBytes > MAX_EVENT_BYTES)
    throw new InvalidEvent(null, `An event may not take more than ${MAX_EVENT_BYTES} bytes.`)
  const person = hasPerson ? personPartOf(event, distinctId, properties, report) : null
  const copiedBytes = person?.copies ? jsonBytes([person.copies.set, person.copies.setOnce]) : 0
  const isTooLargeToCopy = ownBytes + copiedBytes > MAX_EVENT_BYTES
  if (isTooLargeToCopy) report('properties', NOT_COPIED)

  return {
    event: {
      index,
      uuid,
      event,
      distinctId,
      timestamp,
      timestampAt:
        dependsOnArrival && ownUuid ? (now) => eventTime(raw, { ...arrival, now }).timestamp : null,
      properties,
      bytes: isTooLargeToCopy ? ownBytes : ownBytes + copiedBytes,
      setsProperties: mayHavePerson && hasPropertyChanges(changesIn(properties)),
      isStored,
      changesPeople,
      person: person && isTooLargeToCopy ? { ...person, copies: null } : person,
      groups: isPersonal ? groupsOf(properties.$groups, report) : [],
      groupIdentify: isPersonal && event === '$groupidentify' ? groupIdentifyOf(properties, report) : null,
      flag: event === '$feature_flag_called' ? flagOf(properties) : null,
    },
    problems,
  }
}

const NOT_COPIED = `With the properties for its person, the event takes more than ${MAX_EVENT_BYTES} bytes; they are not copied.`

const AT_ARRIVAL = 'The event has the time of its arrival.'

const NOT_CORRECTED =
  'Datetime has wrong format. Use ISO 8601. The timestamp of the event is not corrected by the error of the clock.'

const TIME_PROBLEMS: Readonly<Record<TimeProblem, readonly [attr: string, detail: string, PartProblem]>> = {
  'invalid timestamp': [
    'timestamp',
    `Datetime has wrong format. Use ISO 8601. ${AT_ARRIVAL}`,
    'ignored_invalid_timestamp',
  ],
  'invalid offset': [
    'offset',
    `Must be a number of milliseconds before arrival. ${AT_ARRIVAL}`,
    'ignored_invalid_timestamp',
  ],
  'offset ignored': [
    'offset',
    'Must be a number of milliseconds before arrival, so it is ignored.',
    'part_ignored',
  ],
  'timestamp in the future': [
    'timestamp',
    `More than 23 hours ahead. ${AT_ARRIVAL}`,
    'event_timestamp_in_future',
  ],
}

/** @throws InvalidEvent when it is missing or blank. */
function identifier(attr: string, value: unknown, report: Report): string {
  if (value === undefined || value === null) throw new InvalidEvent(attr, 'This field is required.')
  const text = identifierIn(value)
  if (text === null && typeof value === 'string') throw new InvalidEvent(attr, 'This field may not be blank.')
  if (text === null) report(attr, 'Neither text nor a number: its JSON counts.')
  const cut = cutIdentifier(text ?? jsonIdentifier(value))
  if (text !== null && cut !== text) report(attr, CUT)
  return cut
}

/** Matches the nil uuid. Clients send it for an id that they do not set, and only the first event with it would count. */
const NIL = /^[0-]+$/

const UUID = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i

function uuidOf(value: unknown, report: Report): string | null {
  if (value === undefined || value === null || value === '') return null
  if (typeof value !== 'string' || !UUID.test(value) || NIL.test(value)) {
    report('uuid', 'Must be a valid UUID, and not the nil one. The event has a new one.')
    return null
  }
  const digits = value.toLowerCase().replaceAll('-', '')
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

/** Reports the changes that `changesIn` ignores. */
function reportMalformedChanges(raw: JsonObject, sent: JsonObject, report: Report): void {
  for (const [path, { $set, $set_once, $unset }] of [
    ['', raw],
    ['properties__', sent],
  ] as const) {
    if (!isObject($set) && !isEmpty($set)) report(`${path}$set`, NO_OBJECT)
    if (!isObject($set_once) && !isEmpty($set_once)) report(`${path}$set_once`, NO_OBJECT)
    if (!isObject($unset) && !isNames($unset)) report(`${path}$unset`, NO_NAMES)
  }
}

const NO_NAMES = 'Expected a list of names; others are ignored.'

const isNames = (value: unknown): boolean =>
  isEmpty(value) ||
  (Array.isArray(value) && value.every((name) => typeof name === 'string' || typeof name === 'number'))

/**
 * Moves changes beside `properties`, where browsers send them, into `properties`, where history reads them. They take precedence over
 * changes inside.
 */
function withTopLevelChanges(raw: JsonObject, sent: JsonObject): JsonObject {
  const outer = changesIn(raw)
  if (!hasPropertyChanges(outer)) return sent
  const inner = changesIn(sent)
  const unset = [...new Set([...outer.unset, ...inner.unset])]
  return {
    ...sent,
    ...nonEmpty('$set', { ...inner.set, ...outer.set }),
    ...nonEmpty('$set_once', { ...inner.setOnce, ...outer.setOnce }),
    ...(unset.length ? { $unset: unset } : {}),
  }
}

const nonEmpty = (name: string, values: JsonObject): JsonObject =>
  Object.keys(values).length ? { [name]: values } : {}

/** Returns the event with the copied properties among its changes, where history reads them. */
export function withCopies(event: CapturedEvent): CapturedEvent {
  if (!event.person?.copies) return event
  const { changes, copies } = event.person
  return {
    ...event,
    setsProperties: true,
    properties: {
      ...event.properties,
      ...nonEmpty('$set', { ...copies.set, ...changes.set }),
      ...nonEmpty('$set_once', { ...copies.setOnce, ...changes.setOnce }),
    },
  }
}

function flagOf({
  $feature_flag: flag,
  $feature_flag_response: response,
}: JsonObject): CapturedEvent['flag'] {
  const key = identifierIn(flag)
  if (key === null || isLongerThan(key, MAX_FLAG_TEXT)) return null
  if (response === undefined || response === null) return { key, response: null }
  const text = typeof response === 'string' ? response : JSON.stringify(response)
  return { key, response: text.slice(0, MAX_FLAG_TEXT).toWellFormed() }
}
