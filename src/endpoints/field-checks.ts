// Checks of single fields (docs/reference/endpoints.md#fields-of-a-saved-query). Pure.
import { isLongerThan } from '../characters'
import { invalid } from '../errors'
import { integerIn, text } from '../http/fields'
import { valueJson } from '../http/value-words'
import { firstFailure } from '../http/validation'
import { cleanTags, MAX_TAGS } from '../tags'
import { BREAKDOWN_KINDS, breakdownPropertiesOf } from './query/written-breakdowns'
import type { EndpointQuery } from './query/query-types'
import { sourceOf } from './query/source-query'

export const NAME = /^[a-zA-Z][a-zA-Z0-9_-]{0,127}$/

/** Path segments of operations, which cannot be names of endpoints. */
const ACTIONS = new Set(['last_execution_times', 'materialization_conditions', 'bulk_update_tags'])

export const isName = (name: string): boolean => NAME.test(name) && !ACTIONS.has(name)

/** @throws 400, attr `name`. */
export function checkName(name: string): void {
  if (isName(name)) return
  const rule = ACTIONS.has(name)
    ? 'This name is reserved.'
    : 'Must start with a letter, contain only alphanumeric characters, hyphens, or underscores, and be between 1 and 128 characters long.'
  throw invalid('name', `Invalid name '${name}'. ${rule}`)
}

export const nameTaken = () => invalid('name', 'An endpoint with this name already exists for this team.')

export const DEFAULT_FRESHNESS = 86_400

const FRESHNESS = new Map([
  [900, '15 minutes'],
  [1800, '30 minutes'],
  [3600, '1 hour'],
  [21_600, '6 hours'],
  [43_200, '12 hours'],
  [86_400, '24 hours'],
  [604_800, '7 days'],
])

/** @throws 400, attr `data_freshness_seconds`. */
export function checkFreshness(seconds: number | null | undefined): void {
  if (seconds === null || seconds === undefined || FRESHNESS.has(seconds)) return
  throw invalid(
    'data_freshness_seconds',
    `Data freshness must be one of: [${[...FRESHNESS.keys()].join(', ')}] seconds (${[...FRESHNESS.values()].join(', ')}).`,
  )
}

const BUCKETS = ['minute', 'fifteen_minutes', 'hour', 'day', 'week', 'month']

/** @throws 400 that lists the valid buckets */
export function checkBuckets(overrides: Readonly<Record<string, string>> | null | undefined): void {
  const wrong = Object.entries(overrides ?? {}).filter(([, bucket]) => !BUCKETS.includes(bucket))
  if (wrong.length === 0) return
  throw invalid(
    null,
    `Invalid bucket override values: ${valueJson(Object.fromEntries(wrong))}. Valid options: ${valueJson(BUCKETS)}`,
  )
}

/** @throws 400, attr `optional_breakdown_properties`, for a name that is not a breakdown of the query */
export function checkOptionalBreakdowns(
  properties: readonly string[] | null | undefined,
  query: EndpointQuery,
): void {
  if (!properties?.length) return
  const reject = (detail: string) => invalid('optional_breakdown_properties', detail)
  const { kind } = sourceOf(query)
  if (!BREAKDOWN_KINDS.includes(kind)) {
    throw reject(
      `Query kind '${kind}' does not support breakdowns. Supported: ${BREAKDOWN_KINDS.join(', ')}.`,
    )
  }
  const known = new Set(breakdownPropertiesOf(query))
  const unknown = properties.filter((property) => !known.has(property))
  if (unknown.length === 0) return
  throw reject(
    `Unknown breakdown propert${unknown.length === 1 ? 'y' : 'ies'}: ${unknown.map(valueJson).join(', ')}. ` +
      `Known: ${known.size > 0 ? valueJson([...known].sort()) : '(none)'}.`,
  )
}

const KeepableText = text({ blank: true })

/** @throws 400, attr `attr`, for text that the database would change */
export function checkText(attr: string, sent: string | null | undefined): void {
  const { error } = KeepableText.safeParse(sent ?? '')
  if (!error) return
  const { detail, code } = firstFailure(error, sent)
  throw invalid(attr, detail, code)
}

export const MAX_TAG = 255

/** @throws 400, attr `tags`, for too many, and for one that is too long or cannot be stored */
export function checkTags(tags: readonly string[]): string[] {
  if (tags.length > MAX_TAGS) throw tooLong('tags', MAX_TAGS, 'elements')
  for (const tag of tags) checkText('tags', tag)
  if (tags.some((tag) => isLongerThan(tag.trim(), MAX_TAG))) throw tooLong('tags', MAX_TAG)
  return cleanTags(tags)
}

export const MAX_INSIGHT_ID = 12

/** @throws 400, attr `derived_from_insight`. */
export function checkInsightId(id: string | null | undefined): void {
  checkText('derived_from_insight', id)
  if (isLongerThan(id ?? '', MAX_INSIGHT_ID)) throw tooLong('derived_from_insight', MAX_INSIGHT_ID)
}

const tooLong = (attr: string, max: number, unit = 'characters') =>
  invalid(attr, `Ensure this field has no more than ${max} ${unit}.`, 'max_length')

export const notAnInteger = (value: unknown) =>
  `Must be an integer, got: ${typeof value === 'string' ? value : JSON.stringify(value)}`

/** Returns the number of a version, or undefined when none is sent. @throws 400, attr `version`, unless it is an integer */
export function checkVersion(sent: unknown): number | undefined {
  if (sent === undefined || sent === null) return undefined
  const version = integerIn(sent)
  if (version === null) throw invalid('version', notAnInteger(sent))
  return version
}
