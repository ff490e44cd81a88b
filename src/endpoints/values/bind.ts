// From chosen values to what the variables of a compiled query are bound to.
import type { BoundValue } from '../../analytics/engine/query-engine'
import { invalid } from '../../errors'
import type { CompiledQuery } from '../../hogql/compiled'
import { convert } from './convert'

/**
 * The value of each parameter that is a variable, by its place.
 * @throws 400 for a variable that has no value, and for one that does not fit.
 */
export function bindVariables(
  { parameters }: Pick<CompiledQuery, 'parameters'>,
  values: ReadonlyMap<string, unknown>,
  timezone: string,
): Map<number, BoundValue> {
  const bound = new Map<number, BoundValue>()
  parameters.forEach((parameter, place) => {
    if (parameter.kind !== 'variable') return
    const value = values.get(parameter.name)
    if (value === undefined) throw missing(parameter.name)
    bound.set(place, convert(parameter.name, value, parameter.type, timezone))
  })
  return bound
}

const missing = (name: string) => invalid(null, `Variable ${name} is missing from query`)
