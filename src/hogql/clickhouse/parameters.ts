// The placeholders of a ClickHouse statement: values travel beside the text, each with its type.
import type { Parameter } from '../compiled'
import type { Literal } from '../ir'
import type { Type } from '../types'

/** The ClickHouse type that a value of `type` is bound as. Moments are bound in UTC. */
export function boundTypeOf(type: Type): string {
  switch (type.kind) {
    case 'array':
      return `Array(${boundTypeOf(type.of)})`
    case 'tuple':
      return `Tuple(${type.of.map(boundTypeOf).join(', ')})`
    case 'null':
      return 'Nullable(String)'
    case 'integer':
    case 'float':
    case 'string':
    case 'json':
    case 'boolean':
    case 'datetime':
    case 'date':
      return type.nullable ? `Nullable(${BOUND[type.kind]})` : BOUND[type.kind]
  }
}

const BOUND = {
  integer: 'Int64',
  float: 'Float64',
  string: 'String',
  json: 'String',
  boolean: 'Bool',
  datetime: "DateTime64(6, 'UTC')",
  date: 'Date32',
} as const

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
