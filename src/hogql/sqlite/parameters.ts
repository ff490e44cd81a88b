// The placeholders of one SQLite statement. They are numbered when its text is complete, because D1 binds at most 100 values, and printing
// may request more than the text uses.
import type { Parameter } from '../compiled'
import { HogqlError } from '../error'
import type { Literal } from '../ir'

/** The most parameters. D1 accepts 100. */
const MAX_PARAMETERS = 90

const PLACEHOLDER = /\?\d+/g

/** Collects parameters. Equal parameters share a placeholder. */
export class Parameters {
  readonly #list: Parameter[] = []
  readonly #places = new Map<string, number>()
  /** Placeholders of constants, by value. Constants are not found by a computed key, because a long constant may occur many times. */
  readonly #constants = new Map<Literal, number>()

  /** Returns the placeholder of a parameter, such as `?3`. */
  add(parameter: Parameter): string {
    if (parameter.kind === 'literal') return this.#placeIn(this.#constants, parameter.value, parameter)
    return this.#placeIn(this.#places, JSON.stringify(parameter), parameter)
  }

  /** Returns the placeholder of a constant. D1 binds numbers as REAL. */
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
