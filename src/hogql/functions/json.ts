// Reading JSON that comes as text. What is missing, or is something else, gives what ClickHouse gives for nothing: 0, an empty text.
import { arrayOf, BOOLEAN, FLOAT, INTEGER, STRING, tupleOf, type Type } from '../types'
import { lookup, type Lookup, lookupKey, lookupText, type Step } from './json-lookup'
import { refuse } from './refuse'
import { always, argument, unlessNull } from './returns'
import type { ScalarFunction, Site, SqliteSite } from './spec'
import { asElement, asText } from './sqlite-values'
import { textToFloat } from './conversions'

/** A document that may be no JSON at all: NULL then. Columns that are documents always are. */
function valid(text: string, type: Type, site: SqliteSite): string {
  return type.kind === 'json' ? text : site.once(text, (value) => `iif(json_valid(${value}), ${value}, NULL)`)
}

/** What the arguments from the second on lead to. */
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
  name: string,
  type: Type,
  write: (found: Lookup, site: SqliteSite) => string,
  ...aliases: string[]
): ScalarFunction => ({
  kind: 'scalar',
  guarded: true,
  name,
  aliases,
  takes: ['json'],
  rest: 'any',
  returns: unlessNull(type),
  sqlite: (args, site) => write(found(args, site), site),
})

/** A function that gives a list. There are no lists that are NULL: what is NULL has no entries. */
const list = (name: string, type: Type, write: (found: Lookup) => string): ScalarFunction => ({
  kind: 'scalar',
  name,
  takes: ['json'],
  rest: 'any',
  returns: always(type),
  sqlite: (args, site) => write(found(args, site)),
  clickhouse: (args, site) => `${name}(${present(args, site).join(', ')})`,
})

/** The arguments, the first of them never NULL. */
const present = ([document = '', ...keys]: readonly string[], { types }: Pick<Site, 'types'>): string[] => [
  argument(types, 0).nullable ? `ifNull(${document}, '')` : document,
  ...keys,
]

const NUMBER = (of: Lookup, whole: boolean): string => {
  const number = whole ? `CAST(${of.value} AS INTEGER)` : of.value
  const text = whole ? `CAST(${textToFloat(of.value)} AS INTEGER)` : textToFloat(of.value)
  return `ifnull(CASE ${of.type} WHEN 'integer' THEN ${number} WHEN 'real' THEN ${number} WHEN 'text' THEN ${text} END, 0)`
}

const KINDS = [
  ['integer', 'Int64'],
  ['real', 'Double'],
  ['text', 'String'],
  ['true', 'Bool'],
  ['false', 'Bool'],
  ['object', 'Object'],
  ['array', 'Array'],
]

/** JSON of an entry of `json_each` as a text. */
const RAW =
  "(CASE WHEN a.type IN ('true', 'false', 'null') THEN a.type WHEN a.type IN ('object', 'array') THEN a.value ELSE json_quote(a.value) END) || ''"

/** A list made of a document's entries, if it is an object or an array as wanted. */
const entries = (of: Lookup, kind: 'object' | 'array', element: string): string =>
  `CASE ${of.type} WHEN '${kind}' THEN (SELECT json_group_array(${element}) FROM json_each(${of.json}) AS a) ELSE '[]' END`

export const JSON_FUNCTIONS: readonly ScalarFunction[] = [
  extract(
    'JSONExtractString',
    STRING,
    (of) => `ifnull(${lookupText(of)}, '')`,
    'simpleJSONExtractString',
    'visitParamExtractString',
  ),
  extract(
    'JSONExtractInt',
    INTEGER,
    (of) => NUMBER(of, true),
    'JSONExtractUInt',
    'simpleJSONExtractInt',
    'visitParamExtractInt',
  ),
  extract(
    'JSONExtractFloat',
    FLOAT,
    (of) => NUMBER(of, false),
    'simpleJSONExtractFloat',
    'visitParamExtractFloat',
  ),
  {
    ...extract(
      'JSONExtractBool',
      BOOLEAN,
      (of) => `ifnull(CASE ${of.type} WHEN 'true' THEN 1 WHEN 'integer' THEN ${of.value} <> 0 END, 0)`,
      'simpleJSONExtractBool',
      'visitParamExtractBool',
    ),
    clickhouse: (args) => `toBool(JSONExtractBool(${args.join(', ')}))`,
  },
  extract(
    'JSONExtractRaw',
    STRING,
    (of) => `ifnull(${of.json} || '', '')`,
    'simpleJSONExtractRaw',
    'visitParamExtractRaw',
  ),
  extract('JSONHas', INTEGER, (of) => `(${of.type} IS NOT NULL)`, 'simpleJSONHas'),
  extract(
    'JSONLength',
    INTEGER,
    (of) =>
      `CASE WHEN ${of.type} IN ('object', 'array') THEN (SELECT count(*) FROM json_each(${of.json}) AS a) ELSE 0 END`,
  ),
  extract(
    'JSONType',
    STRING,
    (of) =>
      `CASE ${of.type} ${KINDS.map(([type, name]) => `WHEN '${type}' THEN '${name}'`).join(' ')} ELSE 'Null' END`,
  ),
  list('JSONExtractKeys', arrayOf(STRING), (of) => entries(of, 'object', 'a.key')),
  list('JSONExtractArrayRaw', arrayOf(STRING), (of) => entries(of, 'array', RAW)),
  list('JSONExtractKeysAndValuesRaw', arrayOf(tupleOf(STRING, STRING)), (of) =>
    entries(of, 'object', `json_array(a.key, ${RAW})`),
  ),
  {
    kind: 'scalar',
    guarded: true,
    name: 'JSONExtract',
    takes: ['json', 'any'],
    rest: 'any',
    returns: (args, constants) => {
      const { type } = extracted(constants.at(-1))
      return type.kind === 'array' ? type : unlessNull(type)(args)
    },
    sqlite: (args, site) => {
      const { type, write } = extracted(site.constants.at(-1))
      const value = found(args.slice(0, -1), { ...site, constants: site.constants.slice(0, -1) })
      return type.kind === 'array'
        ? `CASE ${value.type} WHEN 'array' THEN ${value.json} ELSE '[]' END`
        : write(value)
    },
    clickhouse: (args, site) => {
      const { name, type } = extracted(site.constants.at(-1))
      const given = args.slice(0, -1)
      return `JSONExtract(${[...(type.kind === 'array' ? present(given, site) : given), `'${name}'`].join(', ')})`
    },
  },
  {
    kind: 'scalar',
    name: 'isValidJSON',
    takes: ['string'],
    returns: unlessNull(INTEGER),
    sqlite: ([text]) => `json_valid(${text})`,
  },
  {
    kind: 'scalar',
    guarded: true,
    name: 'toJSONString',
    takes: ['any'],
    returns: unlessNull(STRING),
    sqlite: ([value], site) => {
      const type = argument(site.types, 0)
      if (type.kind === 'array' || type.kind === 'tuple') return `json(${value}) || ''`
      if (type.kind === 'boolean') return asText(String(value), type, site)
      const shown = type.kind === 'datetime' ? asText(String(value), type, site) : String(value)
      return `json_quote(${asElement(shown, type)}) || ''`
    },
  },
]

interface Extracted {
  name: string
  type: Type
  write(found: Lookup): string
}

/** What the last argument of `JSONExtract` names. @throws HogqlError for a type that it does not give */
function extracted(written: unknown): Extracted {
  const name = String(written)
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
  return refuse(
    `'JSONExtract' gives ${Object.keys(EXTRACTED).join(', ')} or Nullable of these, and not '${name}'.`,
  )
}

const isNumber = ({ type, value }: Lookup) =>
  `(${type} IN ('integer', 'real') OR (${type} = 'text' AND ${value} <= CAST(9e999 AS REAL)))`
const isThere = ({ type }: Lookup) => `${type} <> 'null'`
const isBoolean = ({ type }: Lookup) => `${type} IN ('true', 'false')`

const EXTRACTED: Readonly<
  Record<string, { type: Type; write(found: Lookup): string; fits(found: Lookup): string }>
> = {
  String: { type: STRING, write: (of) => `ifnull(${lookupText(of)}, '')`, fits: isThere },
  Int64: { type: INTEGER, write: (of) => NUMBER(of, true), fits: isNumber },
  Float64: { type: FLOAT, write: (of) => NUMBER(of, false), fits: isNumber },
  Bool: {
    type: BOOLEAN,
    write: (of) => `ifnull(${of.type} = 'true', 0)`,
    fits: isBoolean,
  },
  'Array(String)': { type: arrayOf(STRING), write: ({ json }) => json, fits: isThere },
  'Array(Int64)': { type: arrayOf(INTEGER), write: ({ json }) => json, fits: isThere },
  'Array(Float64)': { type: arrayOf(FLOAT), write: ({ json }) => json, fits: isThere },
}
