// Validates the conditions of a dynamic cohort: `{properties: {type: AND | OR, values: [groups and conditions]}}`, as upstream has them.
import { apiErrorIn, invalid } from '../../errors'
import { idIn } from '../../evaluation/values/id'
import { PROPERTY_OPERATORS } from '../../evaluation/matchers/operators'
import { closestKey } from '../../http/body/misspelt-keys'
import { textOf } from '../../evaluation/values/text'
import { invalidChoice } from '../../http/validation'
import { typeWords } from '../../http/value-words'
import { isArray, isObject, type JsonObject, type JsonValue } from '../../json'
import { leavesOf } from '../filters/cohorts'
import { checkValue, createPatternCheck, hintFor } from '../filters/properties'

export type CohortFilters = Record<string, unknown>

const MAX_BYTES = 524_288

/** Maximum nesting of groups. Evaluation reads fifty levels. */
const MAX_DEPTH = 25

const OPERATORS = PROPERTY_OPERATORS.filter(
  (operator) => operator !== 'in' && operator !== 'not_in' && operator !== 'flag_evaluates_to',
)

const GROUP_KEYS = ['type', 'values']
const CONDITION_KEYS = ['type', 'key', 'operator', 'value', 'negation']
/** Keys that upstream derives, or that its clients show. They are dropped. */
const DERIVED_KEYS = new Set([
  'bytecode',
  'bytecode_error',
  'conditionHash',
  'label',
  'cohort_name',
  'group_type_index',
])

const EVENT_TYPES = new Set(['behavioral', 'lifecycle', 'event', 'element', 'hogql'])

const reject = (detail: string, code?: string): never => {
  throw invalid('filters', detail, code)
}

/**
 * Checks conditions as a caller sent them, except for the cohorts that they name, and returns them as they are stored.
 * @param stored conditions before this write
 * @throws 400, attr `filters`, naming the position
 */
export function validateCohortFilters(sent: CohortFilters, stored: CohortFilters | null): CohortFilters {
  const { properties } = sent as { properties?: JsonValue }
  if (!isObject(properties)) return reject("Must contain a 'properties' key with type and values")
  const unknown = Object.keys(sent).find((key) => key !== 'properties')
  if (unknown !== undefined) reject(`Unknown field: ${unknown}.`, 'unknown_field')
  const checkPattern = createPatternCheck([...leavesOf(stored)] as { operator?: string; value?: unknown }[])

  const group = (node: JsonObject, at: string, depth: number): JsonObject => {
    checkKeys(node, GROUP_KEYS, at)
    if (depth > MAX_DEPTH) reject(`${at}: groups are nested deeper than ${MAX_DEPTH} levels`)
    const { type, values } = node
    if (type !== 'AND' && type !== 'OR')
      return reject(`${at}.type: ${invalidChoice(textOf(type ?? null), ['AND', 'OR'])}`)
    if (!isArray(values)) return reject(`${at}.values must be a list, got ${typeWords(values)}`)
    if (values.length === 0) reject(`${at}.values: This list may not be empty.`)
    return { type, values: values.map((each, index) => member(each, `${at}.values[${index}]`, depth)) }
  }

  const member = (node: JsonValue, at: string, depth: number): JsonObject => {
    if (!isObject(node)) return reject(`${at} must be an object, got ${typeWords(node)}`)
    if (Object.hasOwn(node, 'values') || node.type === 'AND' || node.type === 'OR')
      return group(node, at, depth + 1)
    const condition = withoutDerived(node)
    const { type, negation } = condition
    // The type is checked first: the keys of a condition on events are unknown here, but the type is the reason to name.
    if (type !== 'cohort' && type !== 'person') return rejectType(type, at)
    checkKeys(condition, CONDITION_KEYS, at)
    if (negation !== undefined && typeof negation !== 'boolean')
      reject(`${at}.negation must be a boolean, got ${typeWords(negation)}`)
    if (type === 'cohort') return cohortCondition(condition, at)
    checkPersonCondition(condition, at)
    checkPattern(condition as { operator: string }, at)
    return condition
  }

  const checked = { properties: group(properties, 'properties', 0) }
  const bytes = new TextEncoder().encode(JSON.stringify(checked)).byteLength
  if (bytes > MAX_BYTES)
    reject(`Cohort filters exceed maximum size of ${MAX_BYTES} bytes. Current size: ${bytes} bytes.`)
  return checked
}

/** Keys of the groups in which upstream's clients keep what they show. */
const SHOWN_GROUP_KEYS = new Set(['id', 'label', 'matchType'])

/** Converts the conditions that cohorts had before trees. One matching group is enough. @throws 400, attr `groups` */
export function filtersOfGroups(groups: readonly unknown[]): CohortFilters {
  const values = groups.map((each, index) => {
    const { properties, ...others } = isObject(each) ? each : {}
    if (!isArray(properties))
      throw invalid(
        'groups',
        `groups[${index}].properties must be a list. Use \`filters\` for other conditions.`,
      )
    const other = Object.keys(others).find(
      (key) => !SHOWN_GROUP_KEYS.has(key) && (others[key] ?? null) !== null,
    )
    if (other !== undefined)
      throw invalid(
        'groups',
        `Unknown field: groups[${index}].${other.slice(0, 100)}. A group has only properties.`,
        'unknown_field',
      )
    return {
      type: 'AND',
      values: properties.map((property) =>
        isObject(property) && property.type !== 'cohort'
          ? { ...property, type: property.type ?? 'person', operator: property.operator ?? 'exact' }
          : property,
      ),
    }
  })
  return { properties: { type: 'OR', values } }
}

const withoutDerived = (node: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(node).filter(([key]) => !DERIVED_KEYS.has(key)))

function checkKeys(node: JsonObject, known: readonly string[], at: string): void {
  for (const key of Object.keys(node)) {
    if (known.includes(key)) continue
    const meant = closestKey(key, known)
    reject(`Unknown field: ${at}.${key}.${meant === null ? '' : ` Did you mean ${meant}?`}`, 'unknown_field')
  }
}

function rejectType(type: JsonValue | undefined, at: string): never {
  if (typeof type === 'string' && EVENT_TYPES.has(type))
    return reject(
      `${at}.type: conditions on events are not supported in cohorts here. Use person or cohort.`,
      'unsupported_filter',
    )
  if (type === undefined) return reject(`${at}.type: This field is required.`, 'required')
  return reject(`${at}.type: ${invalidChoice(textOf(type), ['person', 'cohort', 'AND', 'OR'])}`)
}

function cohortCondition({ type, key, operator, value, negation }: JsonObject, at: string): JsonObject {
  if (key !== undefined && key !== 'id') reject(`${at}.key must be "id" for a cohort`)
  if (operator !== undefined && operator !== null && operator !== 'in' && operator !== 'not_in')
    reject(`${at}.operator: ${invalidChoice(textOf(operator), ['in', 'not_in'])}`)
  if (value === undefined) reject('Missing required keys for cohort filter: value')
  const id = idIn(value)
  if (id === null) return reject(`${at}.value must be the id of a cohort`)
  return {
    type: type!,
    key: 'id',
    value: id,
    ...(operator ? { operator } : {}),
    ...(negation === undefined ? {} : { negation }),
  }
}

/** Upstream takes numbers in cohorts, though not in flags. Evaluation reads a number by its text, but in conditions on dates. */
const comparedValue = (operator: string, value: JsonValue | undefined): JsonValue | undefined =>
  typeof value === 'number' && !operator.startsWith('is_date_') ? textOf(value) : value

function checkPersonCondition({ key, operator, value }: JsonObject, at: string): void {
  if (typeof key !== 'string' || key === '')
    reject(`${at}.key must be a non-empty string, got ${typeWords(key)}`)
  const isPresence = operator === 'is_set' || operator === 'is_not_set'
  const missing = [
    ...((value ?? null) === null && !isPresence ? ['value'] : []),
    ...((operator ?? null) === null ? ['operator'] : []),
  ]
  if (missing.length > 0) reject(`Missing required keys for person filter: ${missing.join(', ')} (${at})`)
  const written = textOf(operator ?? null)
  if (!(OPERATORS as readonly unknown[]).includes(operator))
    reject(`${at}.operator: Invalid operator: ${written}. ${hintFor(written, OPERATORS)}`, 'invalid_operator')
  try {
    checkValue(operator as string, {
      type: 'person',
      value: comparedValue(operator as string, value),
      operator: operator as string,
    })
  } catch (error) {
    const problem = apiErrorIn(error)
    throw problem ? invalid('filters', `${at}.value: ${problem.detail}`, problem.code) : error
  }
}
