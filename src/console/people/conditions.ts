// Defines conditions on properties in the address of a list: `where=[["plan","exact","team"]]`.
import type { PropertyCondition } from '../api/property-conditions'

export interface ConditionSearch {
  /** The property, the operator and the value of each condition. */
  where?: readonly (readonly string[])[]
}

/** The most conditions of one list. */
export const MAX_CONDITIONS = 10

/** Returns whether an operator takes no value. */
export const isWithoutValue = (operator: string): boolean =>
  operator === 'is_set' || operator === 'is_not_set'

export const conditionsOf = ({ where = [] }: ConditionSearch): PropertyCondition[] =>
  where.map(([property = '', operator = '', value = '']) => ({ property, operator, value }))

export const whereOf = (conditions: readonly PropertyCondition[]) =>
  conditions.length === 0
    ? undefined
    : conditions.map(({ property, operator, value }) =>
        isWithoutValue(operator) ? [property, operator] : [property, operator, value],
      )

/** Returns the conditions of an address that can be read. */
export function parseWhere({ where }: Record<string, unknown>): ConditionSearch {
  if (!Array.isArray(where)) return {}
  const conditions = where.flatMap((each: unknown) => {
    if (!Array.isArray(each)) return []
    const [property, operator, value = ''] = each.map(String)
    return property && operator && (value || isWithoutValue(operator)) ? [{ property, operator, value }] : []
  })
  const normal = whereOf(conditions.slice(0, MAX_CONDITIONS))
  return normal ? { where: normal } : {}
}
