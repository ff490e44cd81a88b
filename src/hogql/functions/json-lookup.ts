// SQL for values of JSON documents in SQLite.
import type { Literal } from '../ir'

/** SQL about a value in a document, NULL where it is missing. */
export interface Lookup {
  /** `text`, `integer`, `real`, `true`, `false`, `null`, `object` or `array`. */
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
  const odd = steps.findIndex(isUnquotable)
  if (odd < 0) {
    const path = bind(`$${steps.map(pathOf).join('')}`)
    return {
      type: `json_type(${document}, ${path})`,
      value: `(${document} ->> ${path})`,
      json: `(${document} -> ${path})`,
    }
  }
  const before = odd === 0 ? document : lookup(document, steps.slice(0, odd), bind).json
  const found = entry(before, bind(steps[odd] ?? ''))
  const rest = steps.slice(odd + 1)
  return rest.length === 0 ? found : lookup(found.json, rest, bind)
}

/** The value of a key that is an expression; with `isPlace`, an index from 1. */
export const lookupKey = (document: string, key: string, isPlace: boolean): Lookup =>
  entry(document, isPlace ? `${key} - 1` : key)

/** SQLite's paths cannot quote these. */
const isUnquotable = (step: Step): boolean => typeof step === 'string' && /["\\]/.test(step)

const pathOf = (step: Step): string =>
  typeof step === 'string' ? `."${step}"` : step < 0 ? `[#${step}]` : `[${step - 1}]`

function entry(document: string, key: string): Lookup {
  const of = (column: string) =>
    `(SELECT ${column} FROM json_each(${document}) AS a WHERE a.key = ${key} LIMIT 1)`
  return {
    type: of('a.type'),
    value: of('a.value'),
    json: of(
      "json(CASE WHEN a.type IN ('true', 'false', 'null') THEN a.type WHEN a.type IN ('object', 'array') THEN a.value ELSE json_quote(a.value) END)",
    ),
  }
}

/** The value as text: strings unquoted, null as NULL, everything else as JSON without its subtype. */
export const lookupText = ({ type, value, json }: Lookup): string =>
  `CASE ${type} WHEN 'text' THEN ${value} WHEN 'null' THEN NULL ELSE ${json} || '' END`
