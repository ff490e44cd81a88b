// The operators of property filters in queries.
import { PROPERTY_OPERATORS } from '../../../evaluation/matchers/operators'
import { reject } from '../../error'
import type { Located } from '../../parser/ast'

/** Those of flags, except the one that compares flags. */
export const FILTER_OPERATORS = PROPERTY_OPERATORS.filter((operator) => operator !== 'flag_evaluates_to')

/** Further ones that upstream's editors store. */
const STORED_OPERATORS = ['is_cleaned_path_exact', 'min', 'max']

const KNOWN: ReadonlySet<string> = new Set([...FILTER_OPERATORS, ...STORED_OPERATORS])

/** @throws HogqlError for an unknown operator of a filter */
export function requireOperator(node: Located, key: string, operator: string): void {
  if (KNOWN.has(operator)) return
  reject(
    node,
    `The operator '${operator}' of the filter on '${key}' is not supported. Supported: ${FILTER_OPERATORS.join(', ')}`,
  )
}

const TAKES_NO_VALUE: ReadonlySet<string> = new Set([
  'exact',
  'in',
  'is_cleaned_path_exact',
  'is_not',
  'is_not_set',
  'is_set',
  'not_in',
])

/** @throws HogqlError for a filter without a value, or with NULL as one, unless its operator compares with NULL or with nothing */
export function requireValue(node: Located, key: string, operator: string, values: readonly unknown[]): void {
  if (TAKES_NO_VALUE.has(operator) || !values.some((value) => value === null || value === undefined)) return
  reject(node, `The filter on '${key}' needs a value for the operator '${operator}'`, 'invalid_query')
}
