// The placeholders of one SQLite statement. What ends up in the text is decided when the text is complete: D1 binds no more than 100 values.
import type { Parameter } from '../compiled'
import { HogqlError } from '../error'
import type { Literal } from '../ir'

/** D1 takes 100; some are left for the parameters that hold others. */
const MOST = 90

const PLACEHOLDER = /\?(\d+)/g

/** Hands out placeholders. What is bound twice has one of them. */
export class Parameters {
  readonly #list: Parameter[] = []
  readonly #places = new Map<string, number>()

  /** The placeholder of a parameter, `?3`. */
  add(parameter: Parameter): string {
    const key = JSON.stringify(parameter)
    const known = this.#places.get(key)
    if (known !== undefined) return `?${known}`
    this.#list.push(parameter)
    this.#places.set(key, this.#list.length)
    return `?${this.#list.length}`
  }

  /** A constant that is bound as it is: a text, or a number whose being an integer does not matter. */
  bind(value: Literal): string {
    return this.add({ kind: 'literal', value })
  }

  /**
   * The complete text with its placeholders numbered in the order in which they come, and their parameters. When they are too many,
   * constants travel together, in one JSON text.
   * @throws HogqlError when there are too many even so
   */
  finish(sql: string): { sql: string; parameters: Parameter[] } {
    const used = [...new Set([...sql.matchAll(PLACEHOLDER)].map(([, digits]) => Number(digits)))]
    const isPacked = packed(used.map((place) => ({ place, parameter: this.#at(place) })))
    const parameters: Parameter[] = []
    const pack: Literal[] = []
    const written = new Map<number, string>()
    for (const place of used) {
      const parameter = this.#at(place)
      if (parameter.kind === 'literal' && isPacked.has(place)) {
        written.set(place, `json_extract(?, '$[${pack.push(parameter.value) - 1}]')`)
      } else {
        written.set(place, `?${parameters.push(parameter)}`)
      }
    }
    if (pack.length > 0) {
      const holder = `?${parameters.push({ kind: 'literal', value: JSON.stringify(pack) })}`
      for (const [place, text] of written) written.set(place, text.replace('?,', `${holder},`))
    }
    if (parameters.length > MOST + 1) throw new HogqlError('The query has too many variables.')
    return { sql: sql.replace(PLACEHOLDER, (_, digits) => written.get(Number(digits)) ?? ''), parameters }
  }

  #at(place: number): Parameter {
    const parameter = this.#list[place - 1]
    if (!parameter) throw new Error(`no parameter ?${place}`)
    return parameter
  }
}

/** Which constants travel together: the last ones, as many as it takes. */
function packed(used: readonly { place: number; parameter: Parameter }[]): Set<number> {
  const excess = used.length - MOST
  if (excess <= 0) return new Set()
  const constants = used.filter(({ parameter }) => parameter.kind === 'literal')
  return new Set(constants.slice(-(excess + 1)).map(({ place }) => place))
}
