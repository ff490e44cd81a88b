// Conditions on properties in the address of a list: `where=[["plan","exact","team"]]`.
import type { PropertyCondition } from '../api/property-conditions'

export interface ConditionSearch {
  /** Property, operator and value of each. */
  where?: readonly (readonly string[])[]
}

/** Of one list. */
export const MAX_CONDITIONS = 10

/** Operators of a condition that take no value. */
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

/** The conditions of an address, without those that cannot be read. */
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
