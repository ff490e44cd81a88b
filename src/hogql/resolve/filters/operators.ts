// The operators of property filters in queries.
import { PROPERTY_OPERATORS } from '../../../evaluation/matchers/operators'

/** Those of flags, except the one that compares flags. */
export const FILTER_OPERATORS = PROPERTY_OPERATORS.filter((operator) => operator !== 'flag_evaluates_to')

/** Further ones that upstream's editors store. */
const STORED_OPERATORS = ['is_cleaned_path_exact', 'min', 'max']

const KNOWN: ReadonlySet<string> = new Set([...FILTER_OPERATORS, ...STORED_OPERATORS])

export const isFilterOperator = (operator: string): boolean => KNOWN.has(operator)
