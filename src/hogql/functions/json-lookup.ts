// SQL for values of JSON documents in SQLite.
import type { Literal } from '../ir'
import { floatText } from './sqlite-values'

/** SQL of the JSON of an entry `a` of `json_each`. */
export const ENTRY =
  `CASE WHEN a.type IN ('true', 'false', 'null') THEN a.type WHEN a.type IN ('object', 'array') THEN a.value ` +
  `WHEN a.type = 'real' THEN ${floatText('a.value')} ELSE json_quote(a.value) END`

/** SQL about a value in a document, NULL where it is missing. */
export interface Lookup {
  /** SQL of the type: `text`, `integer`, `real`, `true`, `false`, `null`, `object` or `array`. */
  type: string
  /** Booleans are 1 and 0, `null` is NULL, objects and arrays are text. */
  value: string
  json: string
}

/** A key, or an index: from 1, or from the end when negative. */
export type Step = string | number

/**
 * The value at a constant path.
 * @param document SQL of valid JSON or NULL
 * @param bind gives SQL of a bound parameter
 */
export function lookup(document: string, steps: readonly Step[], bind: (value: Literal) => string): Lookup {
  const odd = steps.findIndex((step) => typeof step === 'number' || isUnquotable(step))
  if (odd < 0) {
    const path = bind(`$${steps.map(pathOf).join('')}`)
    return {
      type: `json_type(${document}, ${path})`,
      value: `(${document} ->> ${path})`,
      json: `(${document} -> ${path})`,
    }
  }
  const before = odd === 0 ? document : lookup(document, steps.slice(0, odd), bind).json
  const step = steps[odd] ?? ''
  const found =
    typeof step === 'number'
      ? entryAt(before, String(step))
      : entry(`json_each(${before})`, `a.key = ${bind(step)}`)
  const rest = steps.slice(odd + 1)
  return rest.length === 0 ? found : lookup(found.json, rest, bind)
}

/** The value of a key that is an expression; with `isPlace`, an index from 1. */
export const lookupKey = (document: string, key: string, isPlace: boolean): Lookup =>
  isPlace ? entryAt(document, key) : entry(`json_each(${document})`, `a.key = ${key}`)

/** SQLite's paths cannot quote these. */
const isUnquotable = (step: Step): boolean => typeof step === 'string' && /["\\]/.test(step)

const pathOf = (step: Step): string => `."${step}"`

/**
 * The entry at a place of an array, or of an object as it is written. A document that is neither has none. SQLite's LIMIT and OFFSET know no
 * columns, so that entries are numbered.
 */
const entryAt = (document: string, place: string): Lookup =>
  entry(
    `(SELECT e.*, row_number() OVER (ORDER BY e.id) AS n, count(*) OVER () AS size
      FROM json_each(${document}) AS e WHERE e.key IS NOT NULL)`,
    `a.n = (${place}) + iif((${place}) < 0, a.size + 1, 0)`,
  )

function entry(entries: string, condition: string): Lookup {
  const of = (column: string) => `(SELECT ${column} FROM ${entries} AS a WHERE ${condition} LIMIT 1)`
  return {
    type: of('a.type'),
    value: of('a.value'),
    json: of(`json(${ENTRY})`),
  }
}

/** SQL of JSON from any source, without its subtype. A number is written in one way only: `1e3` is `1000`. */
export const lookupJson = ({ type, value, json }: Lookup): string =>
  `CASE ${type} WHEN 'real' THEN (SELECT ${floatText('x')} FROM (SELECT ${value} AS x)) ELSE ${json} || '' END`

/** A value of JSON of any origin as text: strings unquoted, null as NULL. */
export const lookupText = (of: Lookup): string =>
  `CASE ${of.type} WHEN 'text' THEN ${of.value} WHEN 'null' THEN NULL ELSE ${lookupJson(of)} END`

/** SQL of a value of a stored document as text. Numbers in documents are written as JavaScript does, which marks positive exponents. */
export const storedText = ({ type, value, json }: Lookup): string =>
  `CASE ${type} WHEN 'text' THEN ${value} WHEN 'null' THEN NULL WHEN 'real' THEN replace(${json}, 'e+', 'e') ELSE ${json} || '' END`
