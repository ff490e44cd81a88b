// Functions of JSON text. The result for a value that is missing or of another type is ClickHouse's default: 0 or an empty text.
import { reject } from '../error'
import {
  arrayOf,
  BOOLEAN,
  databaseTypeOf,
  FLOAT,
  INTEGER,
  isMap,
  type MapType,
  nullable,
  type ScalarKind,
  STRING,
  tupleOf,
  type Type,
  withoutMaps,
} from '../types'
import { textToFloat, textToInteger } from './conversions'
import { fn } from './define'
import { entryJson, lookup, type Lookup, lookupJson, lookupKey, lookupText, type Step } from './json-lookup'
import { always, argument, unlessNull } from './return-types'
import type { ScalarFunction, Site, SqliteSite } from './spec'
import { asElement, asText, listText, orDefault } from './sqlite-values'

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
const RAW = `(${entryJson('a')}) || ''`

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
    (of) =>
      `ifnull(CASE ${of.type} WHEN 'true' THEN 1 WHEN 'integer' THEN ${of.value} <> 0 AND ${of.value} BETWEEN -${PAST_SIGNED} AND ${LAST_UNSIGNED} END, 0)`,
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
      return isNested(type) ? type : unlessNull(type)(args, constants)
    },
    (site, ...args) => {
      const { value, type } = extracted(site.constants.at(-1))
      const of = found(args.slice(0, -1), { ...site, constants: site.constants.slice(0, -1) })
      return orDefault(value(of, 0), type)
    },
    {
      guarded: true,
      clickhouse: (site, ...args) => {
        const { name, type } = extracted(site.constants.at(-1))
        const path = args.slice(0, -1)
        return isNested(type)
          ? withoutNames(`JSONExtract(${[...present(path, site), `'${name}'`].join(', ')})`, type)
          : `JSONExtract(${[...path, `'${name}'`].join(', ')})`
      },
    },
  ),
  fn(
    'JSONExtractKeysAndValues',
    'json, any, any...',
    (_, constants) => pairsOf(constants.at(-1)).type,
    (site, ...args) => {
      const { value, type } = pairsOf(site.constants.at(-1))
      const of = found(args.slice(0, -1), { ...site, constants: site.constants.slice(0, -1) })
      return orDefault(value(of, 0), type)
    },
    {
      guarded: true,
      clickhouse: (site, ...args) => {
        const { name, type } = pairsOf(site.constants.at(-1))
        const path = present(args.slice(0, -1), site)
        return withoutNames(`JSONExtractKeysAndValues(${[...path, `'${name}'`].join(', ')})`, type)
      },
    },
  ),
  fn('isValidJSON', 'string', 'integer', 'json_valid($1)'),
  fn('toJSONString', 'any', 'string', (site, value) => jsonText(value, argument(site.types, 0), site), {
    guarded: true,
    clickhouse: (site, value) => clickhouseJson(value, argument(site.types, 0)),
  }),
]

const isNested = ({ kind }: Type): boolean => kind === 'array' || kind === 'tuple'

/** Writes maps as arrays of pairs on ClickHouse, and tuples without names, because it shows both as objects otherwise. */
function withoutNames(value: string, type: Type): string {
  const isOfMaps = type.kind === 'array' && isMap(type.of)
  return isOfMaps
    ? `arrayMap(m -> ${withoutNames('m', type.of)}, ${value})`
    : `CAST(${value}, '${databaseTypeOf(withoutMaps(type))}')`
}

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

/** A type that `JSONExtract` extracts. */
interface Extraction {
  /** The name in ClickHouse. */
  name: string
  type: Type
  /** SQL of the value, which is NULL for JSON of another type. `depth` counts the values around it. */
  value(found: Lookup, depth: number): string
}

const MAX_NESTING = 4

/**
 * Returns the extraction that the last argument of a function names.
 * @throws HogqlError for an unsupported type
 */
function extracted(argumentValue: unknown, fnName = 'JSONExtract'): Extraction {
  const name = String(argumentValue)
  return (
    extractionOf(name.trim(), 0) ??
    reject(
      null,
      `'${fnName}' gives ${Object.keys(SCALARS).join(', ')}, Nullable of these, and Array(…), Tuple(…), Tuple(name …) and Map(String, …) of them, ` +
        `nested at most ${MAX_NESTING} deep, with an array of maps outside of others only, and not '${name.slice(0, 100)}'.`,
    )
  )
}

function extractionOf(name: string, depth: number): Extraction | undefined {
  if (Object.hasOwn(SCALARS, name)) return { name, ...SCALARS[name]! }
  const [, kind = '', inner = ''] = /^(Nullable|Array|Tuple|Map)\((.*)\)$/s.exec(name) ?? []
  if (kind === '' || depth >= MAX_NESTING) return undefined
  const parts = partsOf(inner)
  const members = parts.map((part) =>
    kind === 'Tuple' ? /^([A-Za-z_]\w*) (.*)$/s.exec(part)?.slice(1) : undefined,
  )
  const of = parts.map((part, index) => extractionOf(members[index]?.[1]?.trim() ?? part, depth + 1))
  if (!of.every((each) => each !== undefined)) return undefined
  const [first, second] = of
  if (kind === 'Tuple') {
    const names = members.flatMap((member) => member?.[0] ?? [])
    const isPlain = names.length === 0 || names.length === of.length
    return isPlain && new Set(names).size === names.length ? asTuple(of, names) : undefined
  }
  if (kind === 'Map') return of.length === 2 && first!.name === 'String' ? asMap(second!) : undefined
  if (of.length !== 1) return undefined
  // ClickHouse does not convert an array of maps to one of arrays.
  if (kind === 'Array') return isMap(first!.type) && depth > 0 ? undefined : asArray(first!)
  const isScalar = first!.type.kind !== 'array' && first!.type.kind !== 'tuple' && !first!.type.nullable
  return isScalar ? { ...first!, name: `Nullable(${first!.name})`, type: nullable(first!.type) } : undefined
}

/** Splits a list at its commas outside of parentheses. */
function partsOf(text: string): string[] {
  const parts = ['']
  let depth = 0
  for (const piece of text.split(/([(),])/)) {
    if (piece === '(') depth += 1
    if (piece === ')') depth -= 1
    if (piece === ',' && depth === 0) parts.push('')
    else parts.push(parts.pop() + piece)
  }
  return parts.map((part) => part.trim())
}

/** Returns the number of a number, a boolean or a text; NULL for any other value. */
const numberOf = ({ type, value }: Lookup) =>
  `CASE WHEN ${type} IN ('integer', 'real', 'true', 'false') THEN ${value} WHEN ${type} = 'text' THEN ${textToFloat(value)} END`
const integerOf = ({ type, value }: Lookup) =>
  withinSigned(
    `CASE WHEN ${type} IN ('integer', 'real', 'true', 'false') THEN ${value} WHEN ${type} = 'text' THEN ${textToWhole(value)} END`,
    'NULL',
  )
/** Returns a number as a boolean, which ClickHouse stores in a byte: the whole part of the number must fit. */
const booleanOf = (of: Lookup) =>
  `(SELECT CASE WHEN x >= 0 AND x < 256 THEN CAST(x AS INTEGER) <> 0 END FROM (SELECT ${numberOf(of)} AS x))`

const SCALARS: Readonly<Record<string, Pick<Extraction, 'type' | 'value'>>> = {
  String: { type: STRING, value: lookupText },
  Int64: { type: INTEGER, value: integerOf },
  Float64: { type: FLOAT, value: numberOf },
  Bool: { type: BOOLEAN, value: booleanOf },
}

/** Returns SQL of an extracted value as an element of JSON, with the default in place of one of another type. */
const element = (value: string, { type }: Extraction): string => asElement(orDefault(value, type), type)

/** Returns an entry of `json_each`, which has arrays and objects as JSON already. */
const entryOf = (alias: string, { type }: Extraction): Lookup => ({
  type: `${alias}.type`,
  value: `${alias}.value`,
  json: isNested(type) ? `${alias}.value` : `json(${entryJson(alias)})`,
})

/** Returns SQL of whether JSON has the type: null has a type that may be NULL. */
const isFit = (value: string, type: string, of: Extraction): string =>
  of.type.nullable ? `(${value} IS NOT NULL OR ${type} = 'null')` : `${value} IS NOT NULL`

/** Extracts an array. Elements of another type become the default, but an array that has no other elements is of another type itself. */
const asArray = (of: Extraction): Extraction => ({
  name: `Array(${of.name})`,
  type: arrayOf(of.type),
  value({ type, json }, depth) {
    const entry = entryOf(`a${depth}`, of)
    return (
      `CASE ${type} WHEN 'array' THEN (SELECT iif(ifnull(max(${isFit('v', 't', of)}), 1), json_group_array(${element('v', of)}), NULL) ` +
      `FROM (SELECT ${of.value(entry, depth + 1)} AS v, ${entry.type} AS t FROM json_each(${json}) AS a${depth})) END`
    )
  },
})

/** Returns SQL of the pairs of an object, which is NULL for other JSON. */
const pairsIn = ({ type, json }: Lookup, depth: number, of: Extraction, isAll: boolean): string => {
  const entry = entryOf(`a${depth}`, of)
  const pairs = `SELECT a${depth}.key AS k, ${of.value(entry, depth + 1)} AS v, ${entry.type} AS t FROM json_each(${json}) AS a${depth}`
  const where = isAll ? '' : ` WHERE ${isFit('v', 't', of)}`
  return `CASE ${type} WHEN 'object' THEN (SELECT json_group_array(json_array(k, ${element('v', of)})) FROM (${pairs})${where}) END`
}

/** Extracts a map from an object. Values of another type become the default. */
const asMap = (of: Extraction): Extraction => ({
  name: `Map(String, ${of.name})`,
  type: { ...arrayOf(tupleOf(STRING, of.type)), isMap: true },
  value: (from, depth) => pairsIn(from, depth, of, true),
})

/** Extracts the pairs of an object whose value has the type that `JSONExtractKeysAndValues` names. */
function pairsOf(argumentValue: unknown): Extraction {
  const of = extracted(argumentValue, 'JSONExtractKeysAndValues')
  const type = arrayOf(tupleOf(STRING, of.type))
  return { name: of.name, type, value: (from, depth) => pairsIn(from, depth, of, false) }
}

/** Extracts a tuple from an array, or from an object by its names, or in the order of its keys. At least one value must have its type. */
const asTuple = (of: readonly Extraction[], names: readonly string[]): Extraction => ({
  name: `Tuple(${of.map(({ name }, index) => `${names[index] === undefined ? '' : `${names[index]} `}${name}`).join(', ')})`,
  type: tupleOf(...of.map(({ type }) => type)),
  value({ type, json }, depth) {
    const alias = `a${depth}`
    const inOrder = `CASE ${type} WHEN 'object' THEN (SELECT json_group_array(json(${entryJson('o')})) FROM json_each(${json}) AS o) ELSE ${json} END`
    const columns = of.map((each, index) => {
      const name = names[index]
      const path =
        name === undefined ? `'$[${index}]'` : `iif(${alias}.k = 'array', '$[${index}]', '$.${name}')`
      const member = {
        type: `json_type(${alias}.x, ${path})`,
        value: `(${alias}.x ->> ${path})`,
        json: `(${alias}.x -> ${path})`,
      }
      return `${each.value(member, depth + 1)} AS m${index}, ${member.type} AS t${index}`
    })
    const isAny = of.map((each, index) => isFit(`m${index}`, `t${index}`, each)).join(' OR ')
    return (
      `CASE WHEN ${type} IN ('array', 'object') THEN (SELECT CASE WHEN ${isAny} THEN json_array(${of.map((each, index) => element(`m${index}`, each)).join(', ')}) END ` +
      `FROM (SELECT ${columns.join(', ')} FROM (SELECT ${names.length > 0 ? json : inOrder} AS x, ${type} AS k) AS ${alias})) END`
    )
  },
})
