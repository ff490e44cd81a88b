// The placeholders of one SQLite statement, numbered once its text is complete: D1 binds at most 100 values, of which printing may use fewer
// than it asked for.
import type { Parameter } from '../compiled'
import { HogqlError } from '../error'
import type { Literal } from '../ir'

/** D1 takes 100. */
const MAX_PARAMETERS = 90

const PLACEHOLDER = /\?\d+/g

/** Equal parameters share a placeholder. */
export class Parameters {
  readonly #list: Parameter[] = []
  readonly #places = new Map<string, number>()
  /** Placeholders of constants, by value. A key is not computed of them, because a long constant may stand in many places. */
  readonly #constants = new Map<Literal, number>()

  /** The placeholder of a parameter, `?3`. */
  add(parameter: Parameter): string {
    if (parameter.kind === 'literal') return this.#placeIn(this.#constants, parameter.value, parameter)
    return this.#placeIn(this.#places, JSON.stringify(parameter), parameter)
  }

  /** The placeholder of a constant; D1 binds numbers as REAL. */
  bind(value: Literal): string {
    return this.add({ kind: 'literal', value })
  }

  #placeIn<Key>(places: Map<Key, number>, key: Key, parameter: Parameter): string {
    const known = places.get(key)
    if (known !== undefined) return `?${known}`
    this.#list.push(parameter)
    places.set(key, this.#list.length)
    return `?${this.#list.length}`
  }

  /**
   * Returns the complete text with its placeholders numbered in order, and their parameters. When there are too many, the last constants
   * share one JSON text.
   * @throws HogqlError when there are still too many
   */
  finish(sql: string): { sql: string; parameters: Parameter[] } {
    const used = [...new Set(sql.match(PLACEHOLDER))].map((placeholder) => ({
      placeholder,
      parameter: this.#list[Number(placeholder.slice(1)) - 1]!,
    }))
    const constants = used.flatMap(({ placeholder, parameter }) =>
      parameter.kind === 'literal' ? [{ placeholder, value: parameter.value }] : [],
    )
    const excess = used.length - MAX_PARAMETERS
    const packed = excess > 0 ? constants.slice(-(excess + 1)) : []
    const places = new Map(packed.map(({ placeholder }, index) => [placeholder, index]))
    const own = used.filter(({ placeholder }) => !places.has(placeholder))
    const parameters = own.map(({ parameter }) => parameter)
    if (packed.length > 0) {
      const value = JSON.stringify(packed.map((constant) => constant.value))
      parameters.push({ kind: 'literal', value })
    }
    if (parameters.length > MAX_PARAMETERS + 1) throw new HogqlError('The query has too many variables.')
    const written = new Map([
      ...own.map(({ placeholder }, index) => [placeholder, `?${index + 1}`] as const),
      ...[...places].map(
        ([placeholder, index]) =>
          [placeholder, `json_extract(?${parameters.length}, '$[${index}]')`] as const,
      ),
    ])
    return { sql: sql.replace(PLACEHOLDER, (placeholder) => written.get(placeholder)!), parameters }
  }
}
