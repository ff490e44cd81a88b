// Warnings about events that capture rejects, or stores in another form, for the people who send them. A warning says what happened, why
// and how often, and has an example without values of properties.
import { isObject } from '../../json'
import type { PartProblem, Problem } from './event-parts'

/** Maximum warnings of a project. The ones that were seen last are kept. */
export const MAX_WARNINGS = 50

/** Days for which a warning is kept after it was last seen. */
export const WARNING_DAYS = 7

/** Maximum characters of a text in an example. */
const MAX_TEXT = 100
/** Maximum names of properties in an example. */
const MAX_NAMES = 20

export const WARNING_TYPES = [
  'event_rejected',
  'part_ignored',
  'ignored_invalid_timestamp',
  'event_timestamp_in_future',
] as const satisfies readonly ('event_rejected' | PartProblem)[]

export type WarningType = (typeof WARNING_TYPES)[number]

/** The event that a warning is about, without personal data. */
export interface WarningExample {
  event: string | null
  /** The value of the field, if it is a time or a uuid. Of other values only the kind is shown. */
  value: string
  /** The name and version of the library. */
  library: string | null
  propertyNames: string[]
}

export interface CaptureWarning {
  type: WarningType
  detail: string
  /** Path of the field, joined with `__`, or null for the whole event. */
  attr: string | null
  count: number
  /** Times in ISO 8601. */
  firstSeen: string
  lastSeen: string
  /** The example that was seen last. */
  example: WarningExample
}

export const warningKey = ({ type, attr, detail }: CaptureWarning): string => `${type} ${attr} ${detail}`

/** Returns the warnings of a request, one for each reason. @param accepted whether the event at an index is stored */
export function warningsOf(
  sent: readonly unknown[],
  problems: readonly Problem[],
  accepted: (index: number) => boolean,
  now: Date,
): CaptureWarning[] {
  const at = now.toISOString()
  return addWarnings(
    [],
    problems.map(({ index, detail, attr, type = 'part_ignored', sent: beside }) => ({
      type: accepted(index) ? type : 'event_rejected',
      detail: withoutQuotes(detail),
      attr,
      count: 1,
      firstSeen: at,
      lastSeen: at,
      example: exampleOf(sent[index], attr, beside),
    })),
  )
}

/** Adds up warnings of the same reason, and keeps those seen last. */
export function addWarnings(
  known: readonly CaptureWarning[],
  added: readonly CaptureWarning[],
): CaptureWarning[] {
  const byKey = new Map(known.map((warning) => [warningKey(warning), warning]))
  for (const warning of added) {
    const key = warningKey(warning)
    const before = byKey.get(key)
    // The warning moves to the end, because the last ones are kept.
    byKey.delete(key)
    byKey.set(
      key,
      before ? { ...warning, count: before.count + warning.count, firstSeen: before.firstSeen } : warning,
    )
  }
  return [...byKey.values()].slice(-MAX_WARNINGS)
}

/** Removes quoted text: ids of persons and names of groups, which would also make a separate warning for each. */
const withoutQuotes = (detail: string): string => detail.replace(/".*"/s, '"…"')

function exampleOf(raw: unknown, attr: string | null, beside: Problem['sent']): WarningExample {
  if (!isObject(raw)) return { event: null, value: kindOf(raw), library: null, propertyNames: [] }
  const properties = isObject(raw.properties) ? raw.properties : {}
  const library = [properties.$lib, properties.$lib_version].filter((part) => typeof part === 'string')
  return {
    event: typeof raw.event === 'string' ? shortened(raw.event) : null,
    value: beside ? timeText(beside.value) : valueOf(raw, properties, attr),
    library: library.length > 0 ? shortened(library.join(' ')) : null,
    propertyNames: Object.keys(properties).slice(0, MAX_NAMES).map(shortened),
  }
}

/** Fields whose values may be shown, because they contain no personal data. */
const SHOWN = new Set(['timestamp', 'uuid'])

function valueOf(raw: object, properties: object, attr: string | null): string {
  if (attr === null) return kindOf(raw)
  const [name = '', member] = attr.split('__')
  const holder = member === undefined ? raw : properties
  const value = (holder as Record<string, unknown>)[member ?? name]
  return SHOWN.has(attr) ? timeText(value) : kindOf(value)
}

/** Returns a time or a uuid as it was sent. */
function timeText(value: unknown): string {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' ? shortened(value) : kindOf(value)
}

/** Describes the kind of a value. */
function kindOf(value: unknown): string {
  if (value === undefined) return 'missing'
  if (value === null) return 'null'
  if (Array.isArray(value)) return `a list of ${value.length}`
  if (typeof value === 'string') return `text of ${value.length} characters`
  return typeof value === 'object' ? `an object of ${Object.keys(value).length} fields` : `a ${typeof value}`
}

const shortened = (text: string): string =>
  text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT).toWellFormed()}…` : text
