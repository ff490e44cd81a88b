// Reaching into JSON documents of SQLite.
import type { Literal } from '../ir'

/** What is known of a value in a document. All are NULL when there is none. */
export interface Lookup {
  /** `text`, `integer`, `real`, `true`, `false`, `null`, `object` or `array`. */
  type: string
  /** The value itself: booleans as 1 and 0, `null` as NULL, objects and arrays as text. */
  value: string
  /** The value as JSON. */
  json: string
}

/** A key, or a place in an array: from 1 on, or from the end when negative. */
export type Step = string | number

/**
 * Looks up the value behind some constant steps of a document.
 * @param document SQL for valid JSON, or for NULL
 * @param bind writes a text as a bound parameter
 */
export function lookup(document: string, steps: readonly Step[], bind: (value: Literal) => string): Lookup {
  const odd = steps.findIndex(isOdd)
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

/** Looks up the value behind a key that is known when the query runs: of an object its name, of an array its place from 1 on. */
export const lookupKey = (document: string, key: string, isPlace: boolean): Lookup =>
  entry(document, isPlace ? `${key} - 1` : key)

/** Paths have no way to write these. */
const isOdd = (step: Step): boolean => typeof step === 'string' && /["\\]/.test(step)

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

/** A value as text: strings bare, everything else as JSON, NULL for null. What is JSON no longer counts as such. */
export const lookupText = ({ type, value, json }: Lookup): string =>
  `CASE ${type} WHEN 'text' THEN ${value} WHEN 'null' THEN NULL ELSE ${json} || '' END`
