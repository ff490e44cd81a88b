// The placeholders of a ClickHouse statement: values travel beside the text, each with its type.
import type { Parameter } from '../compiled'
import type { Literal } from '../ir'
import { databaseTypeOf, SCALAR_NAMES, type Type } from '../types'

/** The ClickHouse type that a value of `type` is bound as. Moments are bound in UTC. */
export const boundTypeOf = (type: Type): string => databaseTypeOf(type, BOUND_NAMES)

const BOUND_NAMES = { ...SCALAR_NAMES, date: 'Date32', null: 'String' }

/** Numbers the placeholders of one statement. What is bound twice is one parameter. */
export class Parameters {
  readonly list: Parameter[] = []
  readonly #placeholders = new Map<string, string>()

  /** @returns the placeholder, `{p1:String}`. */
  add(parameter: Parameter, type: string): string {
    const key = JSON.stringify([parameter, type])
    const known = this.#placeholders.get(key)
    if (known) return known
    this.list.push(parameter)
    const placeholder = `{p${this.list.length}:${type}}`
    this.#placeholders.set(key, placeholder)
    return placeholder
  }

  /** A constant. Numbers are bound like text, so that the type of one does not depend on how small it is. */
  bind(value: Literal): string {
    if (value === null) return 'NULL'
    switch (typeof value) {
      case 'boolean':
        return String(value)
      case 'string':
        return this.add({ kind: 'literal', value }, 'String')
      case 'number':
        return this.add({ kind: 'literal', value }, Number.isSafeInteger(value) ? 'Int64' : 'Float64')
    }
  }
}
