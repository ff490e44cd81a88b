import { isLongerThan } from '../../characters'
import { isObject, type JsonObject } from '../../json'
import { jsonBytes } from '../../json-bytes'
import { type Arrival, eventTime } from './parse-datetime'
import {
  type GroupIdentify,
  groupIdentifyOf,
  type GroupName,
  groupsOf,
  identifierIn,
  MAX_IDENTIFIER,
  type PersonPart,
  personPartOf,
  type Problem,
  type Report,
} from './event-parts'
import { hasPropertyChanges, changesIn } from './property-changes'

/** Characters of a flag's key. Longer keys are ignored, longer results cut. */
const MAX_FLAG_TEXT = 400

/** Fits into one parameter. */
export const MAX_EVENT_BYTES = 800_000

export interface CapturedEvent {
  index: number
  uuid: string
  event: string
  distinctId: string
  timestamp: string
  /**
   * The timestamp for another time of arrival. Null where it does not depend on that, and without a uuid, so that the event cannot be
   * repeated.
   */
  timestampAt: ((arrival: Date) => string) | null
  /** With the changes of the event's top level. */
  properties: JsonObject
  /** Size of name, distinct id and properties as JSON. */
  bytes: number
  setsProperties: boolean
  /** Null: the event changes neither persons nor groups. */
  person: PersonPart | null
  groups: GroupName[]
  /** Only for `$groupidentify`. */
  groupIdentify: GroupIdentify | null
  /** Only for `$feature_flag_called`. */
  flag: { key: string; response: string | null } | null
}

export interface ParseContext extends Arrival {
  newUuid(): string
}

export interface Parsed {
  /** Null: the event is rejected. */
  event: CapturedEvent | null
  problems: Problem[]
}

/** Rejects an event. */
class InvalidEvent extends Error {
  constructor(
    readonly attr: string | null,
    readonly detail: string,
  ) {
    super(detail)
  }
}

/** @param index of the event in the request, for reports */
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
  const sent = raw.properties ?? {}
  if (!isObject(sent)) throw new InvalidEvent('properties', 'Expected a dictionary of items.')
  const event = identifier('event', raw.event)
  const distinctId = identifier('distinct_id', raw.distinct_id ?? raw.$distinct_id ?? sent.distinct_id)
  const time = eventTime(raw, context)
  if (time === null) throw new InvalidEvent('timestamp', 'Datetime has wrong format. Use ISO 8601.')
  const { timestamp, dependsOnArrival } = time
  const ownUuid = uuidOf(raw.uuid)
  const uuid = ownUuid ?? context.newUuid()

  const isPersonal = sent.$process_person_profile !== false
  const properties = isPersonal ? withTopLevelChanges(raw, sent) : sent
  const bytes = jsonBytes([event, distinctId, properties])
  if (bytes > MAX_EVENT_BYTES)
    throw new InvalidEvent(null, `An event may not take more than ${MAX_EVENT_BYTES} bytes.`)

  const problems: Problem[] = []
  const report: Report = (attr, detail) => void problems.push({ index, detail, attr })
  return {
    event: {
      index,
      uuid,
      event,
      distinctId,
      timestamp,
      timestampAt:
        dependsOnArrival && ownUuid
          ? (now) => eventTime(raw, { ...context, now })?.timestamp ?? timestamp
          : null,
      properties,
      bytes,
      setsProperties: isPersonal && hasPropertyChanges(changesIn(properties)),
      person: isPersonal ? personPartOf(event, distinctId, properties, report) : null,
      groups: isPersonal ? groupsOf(properties.$groups) : [],
      groupIdentify: isPersonal && event === '$groupidentify' ? groupIdentifyOf(properties, report) : null,
      flag: event === '$feature_flag_called' ? flagOf(properties) : null,
    },
    problems,
  }
}

function identifier(attr: string, value: unknown): string {
  if (value === undefined || value === null) throw new InvalidEvent(attr, 'This field is required.')
  const text = identifierIn(value)
  if (text === null)
    throw new InvalidEvent(
      attr,
      typeof value === 'string' ? 'This field may not be blank.' : 'Not a valid string.',
    )
  if (isLongerThan(text, MAX_IDENTIFIER))
    throw new InvalidEvent(attr, `Ensure this field has no more than ${MAX_IDENTIFIER} characters.`)
  return text
}

const UUID = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i

function uuidOf(value: unknown): string | null {
  if (value === undefined || value === null || value === '') return null
  if (typeof value !== 'string' || !UUID.test(value)) throw new InvalidEvent('uuid', 'Must be a valid UUID.')
  const digits = value.toLowerCase().replaceAll('-', '')
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

/** Browsers send changes beside `properties`; history reads them from inside. */
function withTopLevelChanges(raw: JsonObject, sent: JsonObject): JsonObject {
  const outer = changesIn(raw)
  if (!hasPropertyChanges(outer)) return sent
  const inner = changesIn(sent)
  const set = { ...outer.set, ...inner.set }
  const setOnce = { ...outer.setOnce, ...inner.setOnce }
  const unset = [...new Set([...outer.unset, ...inner.unset])]
  return {
    ...sent,
    ...(Object.keys(set).length ? { $set: set } : {}),
    ...(Object.keys(setOnce).length ? { $set_once: setOnce } : {}),
    ...(unset.length ? { $unset: unset } : {}),
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
