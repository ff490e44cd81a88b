// Converts constraints of Unleash to properties of a condition set. Pure. Unleash documents what its clients do:
// https://docs.getunleash.io/concepts/activation-strategies
import type { JsonObject } from '../../json'
import type { Constraint } from './api'

/** Something has no equivalent here. The message says what. */
export class NoEqual extends Error {
  override readonly name = 'NoEqual'
}

export interface Mapped {
  /** All of them must hold. */
  properties: JsonObject[]
  changes: string[]
  /** Whether it never holds, whoever it is: properties cannot say so. */
  isNever?: boolean
}

/** Fields of a client, and not of a person. */
export const OF_CLIENTS: ReadonlySet<string> = new Set([
  'appName',
  'environment',
  'currentTime',
  'sessionId',
  'remoteAddress',
])

const ORDERS: Readonly<Record<string, { operator: string; opposite: string }>> = {
  NUM_GT: { operator: 'gt', opposite: 'lte' },
  NUM_GTE: { operator: 'gte', opposite: 'lt' },
  NUM_LT: { operator: 'lt', opposite: 'gte' },
  NUM_LTE: { operator: 'lte', opposite: 'gt' },
  SEMVER_EQ: { operator: 'semver_eq', opposite: 'semver_neq' },
  SEMVER_GT: { operator: 'semver_gt', opposite: 'semver_lte' },
  SEMVER_GTE: { operator: 'semver_gte', opposite: 'semver_lt' },
  SEMVER_LT: { operator: 'semver_lt', opposite: 'semver_gte' },
  SEMVER_LTE: { operator: 'semver_lte', opposite: 'semver_gt' },
}

/** `userId` is what SDKs here call the distinct id. */
const propertyNameOf = (contextName: string): string =>
  contextName === 'userId' ? 'distinct_id' : contextName

/** @throws NoEqual. */
export function mapConstraint(constraint: Constraint, now: Date): Mapped {
  const { contextName, operator, inverted } = constraint
  if (operator.startsWith('DATE_')) return passed(constraint, now)
  if (OF_CLIENTS.has(contextName))
    throw new NoEqual(
      `a constraint on ${contextName}: conditions here are on people, not on clients or the time`,
    )
  const key = propertyNameOf(contextName)
  const isNegative = inverted === true
  const order = ORDERS[operator]
  if (order) return ordered(key, order, requireValue(constraint), isNegative)
  switch (operator) {
    case 'IN':
    case 'NOT_IN':
      return listed(key, constraint.values ?? [], isNegative !== (operator === 'NOT_IN'))
    case 'STR_CONTAINS':
    case 'STR_STARTS_WITH':
    case 'STR_ENDS_WITH':
      return text(key, operator, constraint, isNegative)
    case 'REGEX':
      return pattern(key, requireValue(constraint), constraint, isNegative)
    case 'NUM_EQ': {
      if (isNegative)
        throw new NoEqual('an inverted constraint NUM_EQ: there is no operator for different numbers')
      const value = requireValue(constraint)
      return plain({ key, operator: 'gte', value }, { key, operator: 'lte', value })
    }
    default:
      throw new NoEqual(`a constraint ${operator}`)
  }
}

const plain = (...properties: JsonObject[]): Mapped => ({
  properties: properties.map((property) => ({ ...property, type: 'person' })),
  changes: [],
})

function requireValues({ values, operator }: Constraint): readonly string[] {
  if (!values || values.length === 0) throw new NoEqual(`a constraint ${operator} without values`)
  return values
}

function requireValue({ value, values, operator }: Constraint): string {
  const found = value ?? values?.[0]
  if (!found) throw new NoEqual(`a constraint ${operator} without a value`)
  return found
}

/** Constraints on the time of the evaluation, whatever their context field. @throws NoEqual for a time to come. */
function passed({ operator, value, inverted }: Constraint, now: Date): Mapped {
  const time = Date.parse(value ?? '')
  if (Number.isNaN(time)) throw new NoEqual(`a constraint ${operator} on "${value ?? ''}", which is no time`)
  if (time > now.getTime())
    throw new NoEqual(
      `a constraint ${operator} ${value}, a time to come. Schedule a change of the flag for it`,
    )
  const holds = (operator === 'DATE_AFTER') !== (inverted === true)
  const change = `${operator} ${value} has passed: ${holds ? 'it is left out' : 'its strategy matches no one'}`
  return { properties: [], changes: [change], isNever: !holds }
}

/** Converts a list of values. Text is compared without case here. */
function listed(key: string, values: readonly string[], isNegative: boolean): Mapped {
  if (values.length === 0) return { properties: [], changes: [], isNever: !isNegative }
  const mapped = plain({ key, operator: isNegative ? 'is_not' : 'exact', value: [...values] })
  const hasCase = values.some((value) => value.toLowerCase() !== value.toUpperCase())
  return hasCase ? { ...mapped, changes: [`${key}: upper and lower case are the same here`] } : mapped
}

const escaped = (value: string) => value.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')

function text(key: string, operator: string, constraint: Constraint, isNegative: boolean): Mapped {
  const values = requireValues(constraint)
  if (operator === 'STR_CONTAINS' && constraint.caseInsensitive)
    return plain({
      key,
      operator: isNegative ? 'not_icontains_multi' : 'icontains_multi',
      value: [...values],
    })
  const any = `(?:${values.map(escaped).join('|')})`
  const place: Record<string, string> = {
    STR_STARTS_WITH: `^${any}`,
    STR_ENDS_WITH: `${any}$`,
    STR_CONTAINS: any,
  }
  return pattern(key, place[operator]!, constraint, isNegative)
}

/** Matches constructs that no linear-time engine has, while Unleash uses one. */
const BACKTRACKING = /\(\?(?:[=!>]|<[=!])|\\[1-9k]|[*+?}]\+/

const pattern = (
  key: string,
  value: string,
  { caseInsensitive }: Constraint,
  isNegative: boolean,
): Mapped => ({
  ...plain({
    key,
    operator: isNegative ? 'not_regex' : 'regex',
    value: caseInsensitive ? `(?i)${value}` : value,
  }),
  changes: BACKTRACKING.test(value)
    ? [`${key}: look-around and back-references match here; Unleash rejects such a pattern`]
    : [],
})

function ordered(
  key: string,
  { operator, opposite }: { operator: string; opposite: string },
  value: string,
  isNegative: boolean,
): Mapped {
  const versions = operator.startsWith('semver_')
    ? [
        `${key}: versions like v2.0.0 and 2.0 are compared here as 2.0.0; Unleash never matches them. 2.0.0+1 is ` +
          'later than 2.0.0 here, and may be the same in Unleash',
      ]
    : []
  if (!isNegative) return { ...plain({ key, operator, value }), changes: versions }
  return {
    ...plain({ key, operator: opposite, value }),
    changes: [
      ...versions,
      `${key}: people without it do not meet the inverted condition here, and do in Unleash`,
    ],
  }
}
