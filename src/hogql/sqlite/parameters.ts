// The placeholders of one SQLite statement, numbered once its text is complete: D1 binds at most 100 values, of which printing may use fewer
// than it asked for.
import type { Parameter } from '../compiled'
import { HogqlError } from '../error'
import type { Literal } from '../ir'

/** D1 takes 100. */
const MAX_PARAMETERS = 90

const PLACEHOLDER = /\?(\d+)/g

/** Equal parameters share a placeholder. */
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

  /** The placeholder of a constant; D1 binds numbers as REAL. */
  bind(value: Literal): string {
    return this.add({ kind: 'literal', value })
  }

  /**
   * The complete text with its placeholders numbered in order, and their parameters. Of too many, constants share one JSON text.
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
    if (parameters.length > MAX_PARAMETERS + 1) throw new HogqlError('The query has too many variables.')
    return { sql: sql.replace(PLACEHOLDER, (_, digits) => written.get(Number(digits)) ?? ''), parameters }
  }

  #at(place: number): Parameter {
    const parameter = this.#list[place - 1]
    if (!parameter) throw new Error(`no parameter ?${place}`)
    return parameter
  }
}

/** Which constants share one parameter: the last ones, as many as it takes. */
function packed(used: readonly { place: number; parameter: Parameter }[]): Set<number> {
  const excess = used.length - MAX_PARAMETERS
  if (excess <= 0) return new Set()
  const constants = used.filter(({ parameter }) => parameter.kind === 'literal')
  return new Set(constants.slice(-(excess + 1)).map(({ place }) => place))
}
