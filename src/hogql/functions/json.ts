// Functions of JSON text. The result for a value that is missing or of another type is ClickHouse's default: 0 or an empty text.
import { reject } from '../error'
import {
  arrayOf,
  BOOLEAN,
  FLOAT,
  INTEGER,
  isMap,
  type MapType,
  type ScalarKind,
  STRING,
  tupleOf,
  type Type,
} from '../types'
import { textToFloat, textToInteger } from './conversions'
import { fn } from './define'
import { ENTRY, lookup, type Lookup, lookupJson, lookupKey, lookupText, type Step } from './json-lookup'
import { always, argument, unlessNull } from './return-types'
import type { ScalarFunction, Site, SqliteSite } from './spec'
import { asElement, asText, listText } from './sqlite-values'

/** Returns SQL of the document, which is NULL for a text that is not JSON. */
const valid = (text: string, type: Type, site: SqliteSite): string =>
  type.kind === 'json' ? text : site.once(text, (value) => `iif(json_valid(${value}), ${value}, NULL)`)

/** Returns the value at the path that the arguments after the document name. */
function found([document, ...keys]: readonly string[], site: SqliteSite): Lookup {
  let json = valid(String(document), argument(site.types, 0), site)
  const constants = site.constants.slice(1, keys.length + 1)
  const steps = constants.filter((key): key is Step => typeof key === 'string' || typeof key === 'number')
  if (steps.length === keys.length) return lookup(json, steps, site.bind)
  let last = lookup(json, [], site.bind)
  for (const [index, key] of keys.entries()) {
    last = lookupKey(json, key, argument(site.types, index + 1).kind === 'integer')
    json = last.json
  }
  return last
}

const extract = (
  names: string,
  kind: ScalarKind,
  write: (found: Lookup) => string,
  clickhouse?: string,
): ScalarFunction =>
  fn(names, 'json, any...', kind, (site, ...args) => write(found(args, site)), { guarded: true, clickhouse })

/** Defines a function that returns an array, which is never NULL: NULL has no entries. */
const list = (name: string, type: Type, write: (found: Lookup) => string): ScalarFunction =>
  fn(name, 'json, any...', always(type), (site, ...args) => write(found(args, site)), {
    clickhouse: (site, ...args) => `${name}(${present(args, site).join(', ')})`,
  })

/** Returns the arguments, with a document that is never NULL. */
const present = ([document = '', ...keys]: readonly string[], { types }: Pick<Site, 'types'>): string[] => [
  argument(types, 0).nullable ? `ifNull(${document}, '')` : document,
  ...keys,
]

const toNumber = ({ type, value }: Lookup, ofText: string): string =>
  `CASE WHEN ${type} IN ('integer', 'real') THEN ${value} WHEN ${type} = 'text' THEN ${ofText} END`
const toFloat = (of: Lookup) => `ifnull(${toNumber(of, textToFloat(of.value))}, 0)`

/** Converts a text to a whole number: an integer with all its digits, or the whole part of a float. */
const textToWhole = (value: string) => `coalesce(${textToInteger(value)}, ${textToFloat(value)})`

/**
 * Two of SQLite's floats: the first number that does not fit into a signed integer, and the last one that fits into an unsigned one,
 * rounded.
 */
const [PAST_SIGNED, LAST_UNSIGNED] = ['9223372036854775808.0', '18446744073709551616.0']

/** Returns the whole part of a number, or another value when it does not fit into 64 bits. */
const withinSigned = (number: string, otherwise: '0' | 'NULL'): string =>
  `(SELECT CASE WHEN typeof(n) = 'integer' THEN n WHEN abs(n) < ${PAST_SIGNED} THEN CAST(n AS INTEGER) ELSE ${otherwise} END FROM (SELECT ${number} AS n))`

/** Converts a value to an integer: a number that does not fit into 64 bits becomes 0, as in ClickHouse. */
const toInteger = (of: Lookup) => withinSigned(toNumber(of, textToWhole(of.value)), '0')

/**
 * Converts a value to an unsigned integer: a negative number becomes 0, and one that does not fit into a signed integer is an overflow,
 * because integers here are signed.
 */
const toUnsigned = (of: Lookup) =>
  `(SELECT CASE WHEN n >= 0 AND n < ${PAST_SIGNED} THEN CAST(n AS INTEGER) WHEN n >= 0 AND n <= ${LAST_UNSIGNED} THEN abs(-9223372036854775807 - (n > 0)) ELSE 0 END ` +
  `FROM (SELECT ${toNumber(of, textToWhole(of.value))} AS n))`
const toText = (of: Lookup) => `ifnull(${lookupText(of)}, '')`

const KINDS = [
  ['integer', 'Int64'],
  ['real', 'Double'],
  ['text', 'String'],
  ['true', 'Bool'],
  ['false', 'Bool'],
  ['object', 'Object'],
  ['array', 'Array'],
]

/** SQL of the JSON of an entry of `json_each`, as text. */
const RAW = `(${ENTRY}) || ''`

/** Returns an array of a document's entries, which is empty for a document of another type. */
const entries = (of: Lookup, kind: 'object' | 'array', element: string): string =>
  `CASE ${of.type} WHEN '${kind}' THEN (SELECT json_group_array(${element}) FROM json_each(${of.json}) AS a) ELSE '[]' END`

export const JSON_FUNCTIONS: readonly ScalarFunction[] = [
  extract('JSONExtractString simpleJSONExtractString visitParamExtractString', 'string', toText),
  extract('JSONExtractInt simpleJSONExtractInt visitParamExtractInt', 'integer', toInteger),
  fn('JSONExtractUInt', 'json, any...', 'integer', (site, ...args) => toUnsigned(found(args, site)), {
    guarded: true,
    clickhouse: ({ type }, ...args) =>
      `accurateCast(JSONExtractUInt(${args.join(', ')}), '${type.nullable ? 'Nullable(Int64)' : 'Int64'}')`,
  }),
  extract('JSONExtractFloat simpleJSONExtractFloat visitParamExtractFloat', 'float', toFloat),
  extract(
    'JSONExtractBool simpleJSONExtractBool visitParamExtractBool',
    'boolean',
    (of) => `ifnull(CASE ${of.type} WHEN 'true' THEN 1 WHEN 'integer' THEN ${of.value} <> 0 END, 0)`,
    'toBool(JSONExtractBool($*))',
  ),
  extract(
    'JSONExtractRaw simpleJSONExtractRaw visitParamExtractRaw',
    'string',
    (of) => `ifnull(${lookupJson(of)}, '')`,
  ),
  extract('JSONHas simpleJSONHas', 'integer', (of) => `(${of.type} IS NOT NULL)`),
  extract(
    'JSONLength',
    'integer',
    (of) =>
      `CASE WHEN ${of.type} IN ('object', 'array') THEN (SELECT count(*) FROM json_each(${of.json}) AS a) ELSE 0 END`,
  ),
  extract(
    'JSONType',
    'string',
    (of) =>
      `CASE ${of.type} ${KINDS.map(([type, name]) => `WHEN '${type}' THEN '${name}'`).join(' ')} ELSE 'Null' END`,
  ),
  list('JSONExtractKeys', arrayOf(STRING), (of) => entries(of, 'object', 'a.key')),
  list('JSONExtractArrayRaw', arrayOf(STRING), (of) => entries(of, 'array', RAW)),
  list('JSONExtractKeysAndValuesRaw', arrayOf(tupleOf(STRING, STRING)), (of) =>
    entries(of, 'object', `json_array(a.key, ${RAW})`),
  ),
  fn(
    'JSONExtract',
    'json, any, any...',
    (args, constants) => {
      const { type } = extracted(constants.at(-1))
      return type.kind === 'array' ? type : unlessNull(type)(args, constants)
    },
    (site, ...args) => {
      const { write } = extracted(site.constants.at(-1))
      const value = found(args.slice(0, -1), { ...site, constants: site.constants.slice(0, -1) })
      return write(value)
    },
    {
      guarded: true,
      clickhouse: (site, ...args) => {
        const { name, type } = extracted(site.constants.at(-1))
        const path = args.slice(0, -1)
        return `JSONExtract(${[...(type.kind === 'array' ? present(path, site) : path), `'${name}'`].join(', ')})`
      },
    },
  ),
  fn('isValidJSON', 'string', 'integer', 'json_valid($1)'),
  fn('toJSONString', 'any', 'string', (site, value) => jsonText(value, argument(site.types, 0), site), {
    guarded: true,
    clickhouse: (site, value) => clickhouseJson(value, argument(site.types, 0)),
  }),
]

const hasMap = (type: Type): boolean =>
  isMap(type) ||
  (type.kind === 'array' && hasMap(type.of)) ||
  (type.kind === 'tuple' && type.of.some((each) => hasMap(each)))

/** Writes an element. NULL is written here, because toJSONString of NULL is NULL. */
const memberJson = (value: string, type: Type, depth: number): string =>
  `ifNull(${clickhouseJson(value, type, depth)}, 'null')`

/** Writes a value as JSON on ClickHouse, where maps are arrays of pairs. */
function clickhouseJson(value: string, type: Type, depth = 0): string {
  if (!hasMap(type)) return `toJSONString(${value})`
  const item = `j${depth}`
  if (type.kind === 'tuple') {
    const members = type.of.map((of, index) =>
      clickhouseJson(`tupleElement(${value}, ${index + 1})`, of, depth),
    )
    return `concat('[', ${members.join(", ',', ")}, ']')`
  }
  if (!isMap(type)) {
    const of = type.kind === 'array' ? type.of : type
    return `concat('[', arrayStringConcat(arrayMap(${item} -> ${memberJson(item, of, depth + 1)}, ${value}), ','), ']')`
  }
  const member = memberJson(`${item}.2`, argument(type.of.of, 1), depth + 1)
  const pairs = `arrayMap(${item} -> concat(toJSONString(toString(${item}.1)), ':', ${member}), ${value})`
  return `concat('{', arrayStringConcat(${pairs}, ','), '}')`
}

/** Writes a value as JSON, as ClickHouse does. */
function jsonText(value: string, type: Type, site: SqliteSite): string {
  switch (type.kind) {
    case 'array':
      return isMap(type)
        ? mapText(value, type, site)
        : listText(value, (element) => `ifnull(${jsonText(element, type.of, site)}, 'null')`)
    case 'tuple':
      return site.once(
        value,
        (tuple) =>
          `'[' || ${type.of.map((of, index) => `ifnull(${jsonText(`(${tuple} ->> ${index})`, of, site)}, 'null')`).join(` || ',' || `)} || ']'`,
      )
    case 'float':
    case 'boolean':
      return asText(value, type, site)
    default:
      return `json_quote(${value}) || ''`
  }
}

/** Writes a map, which is stored as pairs, as a JSON object, whose keys are texts. */
function mapText(value: string, { of: { of } }: MapType, site: SqliteSite): string {
  const [key, member] = [argument(of, 0), argument(of, 1)]
  return listText(
    value,
    (pair) =>
      `json_quote(${asText(`(${pair} ->> 0)`, key, site)}) || ':' || ifnull(${jsonText(`(${pair} ->> 1)`, member, site)}, 'null')`,
    ['{', '}'],
  )
}

interface Extracted {
  name: string
  type: Type
  write(found: Lookup): string
}

/**
 * Returns the extraction that the last argument of `JSONExtract` names.
 * @throws HogqlError for an unsupported type
 */
function extracted(argumentValue: unknown): Extracted {
  const name = String(argumentValue)
  const plain = Object.hasOwn(EXTRACTED, name) ? EXTRACTED[name] : undefined
  if (plain) return { name, ...plain }
  const [, inner] = /^Nullable\((\w+)\)$/.exec(name) ?? []
  const within = inner !== undefined && Object.hasOwn(EXTRACTED, inner) ? EXTRACTED[inner] : undefined
  if (within && within.type.kind !== 'array') {
    return {
      name,
      type: { ...within.type, nullable: true },
      write: (of) => `CASE WHEN ${within.fits(of)} THEN ${within.write(of)} END`,
    }
  }
  return reject(
    null,
    `'JSONExtract' gives ${Object.keys(EXTRACTED).join(', ')} or Nullable of these, and not '${name}'.`,
  )
}

/** Returns the number of a number, a boolean or a text; NULL for any other value. */
const numberOf = ({ type, value }: Lookup) =>
  `CASE WHEN ${type} IN ('integer', 'real', 'true', 'false') THEN ${value} WHEN ${type} = 'text' THEN ${textToFloat(value)} END`
const integerOf = ({ type, value }: Lookup) =>
  withinSigned(
    `CASE WHEN ${type} IN ('integer', 'real', 'true', 'false') THEN ${value} WHEN ${type} = 'text' THEN ${textToWhole(value)} END`,
    'NULL',
  )
const isPresent = ({ type }: Lookup) => `${type} <> 'null'`
/** Returns a number as a boolean, which ClickHouse stores in a byte: the whole part of the number must fit. */
const byteOf = (of: Lookup) =>
  `(SELECT CASE WHEN x >= 0 AND x < 256 THEN CAST(x AS INTEGER) END FROM (SELECT ${numberOf(of)} AS x))`
const ELEMENT: Lookup = { type: 'a.type', value: 'a.value', json: `json(${ENTRY})` }

/** Extracts an array. Elements of another type become the default; an array that has no other elements is empty. */
const asArray = (of: Type, { write, fits }: Pick<Extraction, 'write' | 'fits'>): Extraction => ({
  type: arrayOf(of),
  write: ({ type, json }) =>
    `CASE ${type} WHEN 'array' THEN (SELECT iif(max(${fits(ELEMENT)}), json_group_array(${asElement(write(ELEMENT), of)}), '[]') FROM json_each(${json}) AS a) ELSE '[]' END`,
  fits: isPresent,
})

interface Extraction {
  type: Type
  write(found: Lookup): string
  fits(found: Lookup): string
}

const asString: Extraction = { type: STRING, write: toText, fits: isPresent }
/** Extracts a value and converts it. The result is 0 when that is impossible. */
const converted = (type: Type, write: (found: Lookup) => string): Extraction => ({
  type,
  write: (of) => `ifnull(${write(of)}, 0)`,
  fits: (of) => `(${write(of)}) IS NOT NULL`,
})
const asInteger = converted(INTEGER, integerOf)
const asFloat = converted(FLOAT, numberOf)

const EXTRACTED: Readonly<Record<string, Extraction>> = {
  String: asString,
  Int64: asInteger,
  Float64: asFloat,
  Bool: converted(BOOLEAN, (of) => `(${byteOf(of)} <> 0)`),
  'Array(String)': asArray(STRING, asString),
  'Array(Int64)': asArray(INTEGER, asInteger),
  'Array(Float64)': asArray(FLOAT, asFloat),
}
