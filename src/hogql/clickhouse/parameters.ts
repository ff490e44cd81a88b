// The placeholders of a ClickHouse statement: values are sent beside the text, each with its type.
import type { Parameter } from '../compiled'
import type { Literal } from '../ir'
import { databaseTypeOf, SCALAR_NAMES, type Type } from '../types'

/** Returns the ClickHouse type that a value of `type` is bound as. Datetimes are bound in UTC. */
export const boundTypeOf = (type: Type): string => databaseTypeOf(type, BOUND_NAMES)

const BOUND_NAMES = { ...SCALAR_NAMES, date: 'Date32', null: 'String' }

/** Numbers the placeholders of one statement. A value that is bound twice is one parameter. */
export class Parameters {
  readonly list: Parameter[] = []
  /** Placeholders by type and key. */
  readonly #placeholders = new Map<string, Map<string, string>>()
  /**
   * Placeholders of constants, by type and value. Constants are not found by a computed key, because a long constant may occur many times.
   */
  readonly #constants = new Map<string, Map<Literal, string>>()

  /** @returns the placeholder, such as `{p1:String}` */
  add(parameter: Parameter, type: string): string {
    if (parameter.kind === 'literal')
      return this.#placeholderIn(this.#constants, parameter.value, parameter, type)
    return this.#placeholderIn(this.#placeholders, JSON.stringify(parameter), parameter, type)
  }

  #placeholderIn<Key>(
    all: Map<string, Map<Key, string>>,
    key: Key,
    parameter: Parameter,
    type: string,
  ): string {
    const own = all.get(type) ?? new Map<Key, string>()
    const known = own.get(key)
    if (known !== undefined) return known
    this.list.push(parameter)
    const placeholder = `{p${this.list.length}:${type}}`
    all.set(type, own.set(key, placeholder))
    return placeholder
  }

  /** Binds a constant. Numbers are bound as text, so that their type does not depend on their size. */
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
