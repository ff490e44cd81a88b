// Defines conditions on properties in the address of a list: `where=[["plan","exact","team"],["role","exact",["dev","ops"]]]`.
import type { PropertyCondition } from '../api/property-conditions'

export interface ConditionSearch {
  /** The property, the operator and the value or values of each condition. */
  where?: readonly (readonly (string | readonly string[])[])[]
}

/** The most conditions of one list. */
export const MAX_CONDITIONS = 10

const isWithoutValue = (operator: string): boolean => operator === 'is_set' || operator === 'is_not_set'

export const conditionsOf = ({ where = [] }: ConditionSearch): PropertyCondition[] =>
  where.map(([key = '', operator = '', value = operator]) => ({
    key: String(key),
    operator: String(operator),
    value,
  }))

export const whereOf = (conditions: readonly PropertyCondition[]) =>
  conditions.length === 0
    ? undefined
    : conditions.map(({ key, operator, value }) => {
        const [first, ...others] = [value].flat()
        return isWithoutValue(operator)
          ? [key, operator]
          : [key, operator, others.length > 0 ? value : first!]
      })

/** Returns the conditions of an address that can be read. */
export function parseWhere({ where }: Record<string, unknown>): ConditionSearch {
  if (!Array.isArray(where)) return {}
  const conditions = where.flatMap((each: unknown) => {
    if (!Array.isArray(each)) return []
    const [key, operator] = each.map(String)
    const value = Array.isArray(each[2]) ? each[2].map(String) : String(each[2] ?? '')
    return key && operator && (value.length > 0 || isWithoutValue(operator)) ? [{ key, operator, value }] : []
  })
  const normal = whereOf(conditions.slice(0, MAX_CONDITIONS))
  return normal ? { where: normal } : {}
}
