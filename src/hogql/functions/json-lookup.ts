// SQL for values of JSON documents in SQLite.
import type { Literal } from '../ir'
import { floatText } from './sqlite-values'

/** Returns SQL of the JSON of an entry of `json_each`, by its alias. */
export const entryJson = (a: string): string =>
  `CASE WHEN ${a}.type IN ('true', 'false', 'null') THEN ${a}.type WHEN ${a}.type IN ('object', 'array') THEN ${a}.value ` +
  `WHEN ${a}.type = 'real' THEN ${floatText(`${a}.value`)} ELSE json_quote(${a}.value) END`

/** SQL of a value in a document. It is NULL when the value is missing. */
export interface Lookup {
  /** SQL of the type: `text`, `integer`, `real`, `true`, `false`, `null`, `object` or `array`. */
  type: string
  /** SQL of the value: booleans are 1 and 0, `null` is NULL, objects and arrays are text. */
  value: string
  json: string
}

/** A key, or an index, which counts from 1, or from the end when negative. */
export type Step = string | number

/**
 * Returns the value at a constant path.
 * @param document SQL of valid JSON or NULL
 * @param bind returns SQL of a bound parameter
 */
export function lookup(document: string, steps: readonly Step[], bind: (value: Literal) => string): Lookup {
  const odd = steps.findIndex((step) => !isInPaths(step))
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

/** Returns the value of a key that is an expression; with `isPlace`, the key is an index from 1. */
export const lookupKey = (document: string, key: string, isPlace: boolean): Lookup =>
  isPlace ? entryAt(document, key) : entry(`json_each(${document})`, `a.key = ${key}`)

/** Returns whether a path of SQLite may have a step: it has no indices from the end, and cannot quote every key. */
export const isInPaths = (step: Step): boolean => typeof step === 'string' && !/["\\]/.test(step)

const pathOf = (step: Step): string => `."${step}"`

/**
 * Returns the entry at a position of an array, or of an object in its written order; other documents have no entries. Entries are numbered,
 * because SQLite's LIMIT and OFFSET cannot read columns.
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
    json: of(`json(${entryJson('a')})`),
  }
}

/** Returns SQL of JSON from any source, without its subtype. A number has one form only: `1e3` becomes `1000`. */
export const lookupJson = ({ type, value, json }: Lookup): string =>
  `CASE ${type} WHEN 'real' THEN (SELECT ${floatText('x')} FROM (SELECT ${value} AS x)) ELSE ${json} || '' END`

/** Returns SQL of a value of JSON from any source as text: strings are unquoted, and null is NULL. */
export const lookupText = (of: Lookup): string =>
  `CASE ${of.type} WHEN 'text' THEN ${of.value} WHEN 'null' THEN NULL ELSE ${lookupJson(of)} END`

/**
 * Returns SQL of a value of a stored document as text. Numbers in documents are written as JavaScript does, which marks positive exponents.
 */
export const storedText = ({ type, value, json }: Lookup): string =>
  `CASE ${type} WHEN 'text' THEN ${value} WHEN 'null' THEN NULL WHEN 'real' THEN replace(${json}, 'e+', 'e') ELSE ${json} || '' END`
