// Expressions of every function of the catalogue, with arguments of every type that it takes.
import { FUNCTIONS } from '../../../src/hogql/functions/catalogue'
import type { Expected, FunctionSpec } from '../../../src/hogql/functions/spec'
import type { createRandom } from '../faults/random'

type Random = ReturnType<typeof createRandom>

export const KINDS = [
  'integer',
  'float',
  'string',
  'boolean',
  'datetime',
  'date',
  'integers',
  'floats',
  'strings',
  'dates',
  'null',
] as const
export type Kind = (typeof KINDS)[number]

const quoted = (text: string) =>
  `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n')}'`

/** Floats that are NaN in some rows or in all, and that no type says may be NULL. */
const RATES = [
  'length(event) / length(event)',
  '100 * length(event) / (length(event) * 2)',
  '0 / 0',
  'sqrt(length(event) - 1)',
  'log(length(event) - 1)',
  'round(length(event) / length(event), 1)',
  'avg(length(event)) OVER (ORDER BY uuid ROWS BETWEEN 3 PRECEDING AND 2 PRECEDING)',
  "countIf(event = 'a') OVER (ORDER BY uuid) / countIf(event = 'b') OVER (ORDER BY uuid)",
].map((rate) => `(${rate})`)

/** Expressions of a kind, of a row's values and constant. */
const LEAVES: Readonly<Record<Kind | 'rate', readonly string[]>> = {
  rate: RATES,
  integer: [
    'toInt(properties.integer)',
    'toInt(properties.count)',
    'ifNull(toInt(properties.integer), 5)',
    'ifNull(toInt(properties.count), -3)',
    'length(event)',
    '0',
    '1',
    '2',
    '3',
    '-1',
    '-2',
    '10',
    '9007199254740991',
  ],
  float: [
    'properties.number',
    'properties.other',
    'ifNull(properties.number, 0.25)',
    'ifNull(properties.other, 1.0)',
    '0.0',
    '1.5',
    '-2.5',
    '0.1',
    '1e20',
    '3.0',
  ],
  string: [
    'properties.text',
    'properties.word',
    "ifNull(properties.text, '')",
    "ifNull(properties.word, 'a')",
    'event',
    'distinct_id',
    ...['', 'a', 'b', 'ab', ',', 'ü', '🦊', '%', 'a%', '_b', '"', '\\', '12', '/'].map(quoted),
  ],
  boolean: ['properties.flag', 'ifNull(properties.flag, false)', 'true', 'false'],
  datetime: [
    'timestamp',
    'properties.moment',
    'toDateTime(properties.later)',
    'ifNull(properties.moment, timestamp)',
    "toDateTime('2026-03-08 02:30:00')",
    "toDateTime('2024-02-29T23:59:59.999999Z')",
    "toDateTime('2025-11-02 01:30:00')",
    'now()',
  ],
  date: [
    'toDate(timestamp)',
    'toDate(properties.moment)',
    'toDate(properties.later)',
    "toDate('2024-02-29')",
    "toDate('2025-12-29')",
  ],
  integers: [
    '[1, 2, 3]',
    '[]',
    '[0]',
    '[2, NULL, 2]',
    "JSONExtract(properties.document, 'Array(Int64)')",
    '[intDiv(toInt(properties.integer), 4), 1]',
    '[intDiv(ifNull(toInt(properties.count), 2), 4), 1, -1]',
    '[length(event), 9007199254740993]',
  ],
  floats: [
    '[1.5, 2.0, -0.5]',
    '[0.1, 0.2, 0.1]',
    "JSONExtract(properties.document, 'Array(Float64)')",
    '[properties.number, 1.5]',
    '[ifNull(properties.number, 2.5), 0.25]',
    '[0.30000000000000004, 1e300]',
  ],
  strings: [
    "['a', 'b', 'a']",
    "['', 'ü', NULL]",
    "splitByChar(',', properties.list)",
    "JSONExtract(properties.document, 'Array(String)')",
    "[properties.text, 'a']",
    "[event, 'a', '\"']",
  ],
  dates: ["[toDate('2024-02-29'), toDate(timestamp)]", '[timestamp, properties.moment]'],
  null: ['NULL'],
}

const KINDS_OF: Readonly<Record<Exclude<Expected, 'lambda'>, readonly Kind[]>> = {
  any: KINDS,
  number: ['integer', 'float', 'boolean'],
  condition: ['boolean', 'integer', 'float'],
  temporal: ['datetime', 'date'],
  integer: ['integer'],
  float: ['integer', 'float'],
  string: ['string'],
  boolean: ['boolean'],
  datetime: ['datetime'],
  date: ['date'],
  json: ['string'],
  array: ['integers', 'floats', 'strings', 'dates'],
}

const LAMBDAS = [
  'x -> x',
  'x -> x = 1',
  "x -> x = 'a'",
  'x -> x > 1',
  'x -> x * 2',
  'x -> toString(x)',
  'x -> x IS NULL',
  'x -> -x',
  'x -> length(x)',
  'x -> 1',
  'x -> NULL',
  "x -> concat(x, 'z')",
  'x -> x / 2',
]

const UNITS = ['second', 'minute', 'hour', 'day', 'week', 'month', 'quarter', 'year'].map(quoted)
const ZONES = ['UTC'].map(quoted)
const FORMATS = [
  '%Y-%m-%d %H:%i:%S',
  '%y/%c %e %M %b %a %W',
  '%f %j %V %u %w %G',
  '%D %F %T %R %h %I %l %p %Q %C',
].map(quoted)
const JSON_TYPES = [
  'String',
  'Int64',
  'Float64',
  'Bool',
  'Nullable(String)',
  'Nullable(Int64)',
  'Nullable(Float64)',
  'Nullable(Bool)',
  'Array(String)',
  'Array(Int64)',
  'Array(Float64)',
].map(quoted)
const KEYS = ["'a'", "'b'", "'c'", '1', '2', '-1', "'n'", "'t'"]

/** Values of which each row has its own. */
const UNIQUE = [
  'uuid',
  'toInt(substring(uuid, 30))',
  'toInt(substring(uuid, 30)) / 7',
  "(toDateTime('2026-01-01 00:00:00') + toInt(substring(uuid, 30)))",
  "(toDate('2026-01-01') + toInt(substring(uuid, 30)))",
  'if(properties.number > 0, toInt(substring(uuid, 30)), NULL)',
  'if(properties.flag, toInt(substring(uuid, 30)) / 7, NULL)',
  'if(properties.flag, uuid, NULL)',
]

/** Constants that some functions take, by position. */
const CONSTANTS: Readonly<Record<string, Readonly<Record<number, readonly string[]>>>> = {
  dateDiff: { 0: UNITS },
  age: { 0: UNITS },
  dateTrunc: { 0: UNITS, 2: ZONES },
  toStartOfWeek: { 1: ['0', '1'], 2: ZONES },
  toWeek: { 1: ['0', '1', '3'] },
  formatDateTime: { 1: FORMATS, 2: ZONES },
  toDateTime: { 1: ZONES, 2: ZONES },
  toDate: { 1: ZONES },
  toFloat: { 1: ['2'] },
  ntile: { 0: ['1', '2', '5'] },
  nth_value: { 1: ['1', '2', '60'] },
  groupConcat: { 1: [quoted(','), quoted('')] },
  arrayStringConcat: { 1: [quoted(','), quoted('')] },
  splitByChar: { 0: [quoted(','), quoted('a')] },
  lag: { 1: ['1', '2', '0'] },
  lead: { 1: ['1', '2', '0'] },
  lagInFrame: { 1: ['1', '2', '0'] },
  leadInFrame: { 1: ['1', '2', '0'] },
  repeat: { 1: ['0', '1', '3', '-1', 'length(event)'] },
  leftPad: { 1: ['0', '1', '5', '-1', '12'] },
  rightPad: { 1: ['0', '1', '5', '-1', '12'] },
  range: { 0: ['0', '3', '-2', 'length(event)'], 1: ['0', '5', '-4'], 2: ['1', '2', '-1'] },
  round: { 1: ['0', '1', '2', '-1', '-2'] },
  floor: { 1: ['0', '1', '2', '-1', '-2'] },
  ceil: { 1: ['0', '1', '2', '-1', '-2'] },
  trunc: { 1: ['0', '1', '2', '-1', '-2'] },
  argMax: { 1: UNIQUE },
  argMin: { 1: UNIQUE },
  multiMatchAny: { 1: ["['a', 'b+']", "['^x']"] },
  multiMatchAnyIndex: { 1: ["['a', 'b+']", "['^x']"] },
  bitShiftLeft: { 1: ['0', '1', '3', '10'] },
  bitShiftRight: { 1: ['0', '1', '3', '10'] },
}

/** A function with the kinds of its arguments. */
export interface Signature {
  spec: FunctionSpec
  kinds: readonly (Kind | 'lambda')[]
}

/** Every function with every number of arguments, and each argument once of every kind. */
export function signaturesOf(random: Random): Signature[] {
  return FUNCTIONS.flatMap((spec) => {
    const least = spec.takes.length - (spec.optional ?? 0)
    const most = spec.takes.length + (spec.rest ? 2 : 0)
    const counts = Array.from({ length: most - least + 1 }, (_, more) => least + more)
    const expected = (at: number): Expected => spec.takes[at] ?? spec.rest ?? 'any'
    const plain = counts.flatMap((count) => {
      if (count === 0) return [{ spec, kinds: [] }]
      return Array.from({ length: count }, (_, place) => {
        const of = expected(place)
        return (of === 'lambda' ? (['lambda'] as const) : KINDS_OF[of])
          .filter((kind) => kind !== 'null' || spec.kind !== 'aggregate')
          .map((kind): Signature => {
            const kinds = Array.from({ length: count }, (_each, at) => {
              if (at === place) return kind
              const other = expected(at)
              if (other === 'lambda') return 'lambda'
              const choices = KINDS_OF[other].filter((each) => each !== 'null' || spec.kind !== 'aggregate')
              // Arguments of any kind are mostly of one.
              return kind !== 'lambda' && choices.includes(kind) && random.isLikely(0.7)
                ? kind
                : random.pick(choices)
            })
            return { spec, kinds }
          })
      }).flat()
    })
    const lambdas =
      spec.kind === 'scalar' && spec.mayTakeLambda
        ? KINDS_OF.array.map((kind): Signature => ({ spec, kinds: ['lambda', kind] }))
        : []
    return [...plain, ...lambdas]
  })
}

const RETURNING: Readonly<Partial<Record<Kind | 'rate', readonly string[]>>> = {
  integer: [
    'length($string)',
    '(intDiv($integer, 3) + 1)',
    'intDiv($integer, 2)',
    'toInt($float)',
    "dateDiff('day', $datetime, $datetime)",
    '($float > $float)',
    'toUnixTimestamp($datetime)',
    'indexOf($strings, $string)',
  ],
  float: [
    '($float / 3)',
    '($float * 2)',
    '($float - $float)',
    'round($float, 2)',
    'toFloat($integer)',
    'toFloat($string)',
    'arraySum($floats)',
  ],
  string: [
    'lower($string)',
    'concat($string, $string)',
    'toString($float)',
    'toString($integer)',
    'toString($datetime)',
    'substring($string, 2)',
    'replaceAll($string, $string, $string)',
    'toJSONString($strings)',
    "JSONExtractString($string, 'a')",
    'arrayElement($strings, 1)',
  ],
  boolean: ['toBool($string)', 'ifNull($boolean, true)'],
  datetime: [
    'toStartOfHour($datetime)',
    '($datetime + INTERVAL 1 MONTH)',
    '($datetime - INTERVAL 36 HOUR)',
    'toDateTime($date)',
    'greatest($datetime, $datetime)',
  ],
  date: ['toStartOfMonth($datetime)', '($date + INTERVAL 1 DAY)', 'toMonday($date)', 'toDate($datetime)'],
  integers: [
    'arrayMap(x -> x + 1, $integers)',
    'arrayConcat($integers, $integers)',
    'arrayFilter(x -> x > 0, $integers)',
  ],
  floats: ['arrayMap(x -> x * 0.1, $floats)', 'arraySort($floats)'],
  strings: ['arrayMap(x -> toString(x), $integers)', 'arrayReverse($strings)', 'arrayDistinct($strings)'],
}

/** An expression of a kind. */
function expression(random: Random, kind: Kind | 'rate', depth: number): string {
  const calls = RETURNING[kind]
  if (depth === 0 || !calls || random.isLikely(0.5)) return random.pick(LEAVES[kind])
  return random
    .pick(calls)
    .replaceAll(/\$(\w+)/g, (_, of: string) => expression(random, of as Kind | 'rate', depth - 1))
}

/** A call of a function. */
export function callOf(random: Random, { spec, kinds }: Signature, depth: number): string {
  const args = kinds.map((kind, at) => {
    const constants = CONSTANTS[spec.name]?.[at]
    if (constants) return random.pick(constants)
    if (spec.name.startsWith('JSON') && at > 0) {
      return spec.name === 'JSONExtract' && at === kinds.length - 1
        ? random.pick(JSON_TYPES)
        : random.pick(KEYS)
    }
    if (spec.kind === 'scalar' && spec.takes[at] === 'json' && random.isLikely(0.6)) {
      return random.pick(['properties.document', "ifNull(properties.document, '')", 'properties'])
    }
    if (isZone(spec, at)) return random.pick(ZONES)
    return kind === 'lambda' ? random.pick(LAMBDAS) : expression(random, kind, depth)
  })
  const name = spec.aliases?.length && random.isLikely(0.1) ? random.pick(spec.aliases) : spec.name
  if (spec.kind !== 'aggregate') return `${name}(${args.join(', ')})`
  const params = paramsOf(random, spec.name, spec.params)
  const distinct = args.length === 1 && random.isLikely(0.2) ? 'DISTINCT ' : ''
  return `${name}${params}(${distinct}${args.join(', ')})`
}

/** A text at the end of a function of times is a zone. */
const isZone = ({ takes }: FunctionSpec, at: number): boolean =>
  at > 0 && at === takes.length - 1 && takes[at] === 'string' && takes[0] === 'temporal'

function paramsOf(random: Random, name: string, params?: { min: number; max: number }): string {
  if (!params || (params.min === 0 && random.isLikely(0.4))) return ''
  return /quantile|median/i.test(name)
    ? `(${random.pick(['0.5', '0.9', '0', '1', '0.25'])})`
    : `(${random.pick(['1', '2', '100'])})`
}

const OPERATORS: readonly string[] = [
  '$float + $integer',
  '$integer - $integer',
  '$integer * 3',
  '$float / $float',
  '$integer / $integer',
  '$integer % $integer',
  '$float % $float',
  '-$float',
  '-$integer',
  '$float = $float',
  '$integer = $float',
  '$string = $string',
  '$datetime = $datetime',
  '$date < $datetime',
  '$string < $string',
  '$string != $string',
  '$float <= $float',
  '$date >= $date',
  '$boolean = $boolean',
  '$string LIKE $string',
  '$string ILIKE $string',
  '$string NOT LIKE $string',
  '$integer IN (1, 2, NULL)',
  '$integer NOT IN (1, NULL)',
  '$string IN ($string, $string)',
  "$string NOT IN ('a', '')",
  '$float IN (0.5, 1, $float)',
  '$integer IN $integers',
  '$string IN $strings',
  '$string NOT IN $strings',
  '$datetime IN ($datetime, $datetime)',
  '$float BETWEEN $float AND $float',
  '$string IS NULL',
  '$boolean AND $integer',
  '$boolean OR $boolean',
  'NOT $boolean',
  'NOT $integer',
  'if($boolean, $float, $integer)',
  'if($integer, $string, NULL)',
  'multiIf($boolean, $datetime, $integer > 1, $date, $datetime)',
  'CASE $integer WHEN 1 THEN $string WHEN 2 THEN $string ELSE $string END',
  '$datetime + INTERVAL 1 DAY',
  '$datetime - INTERVAL 1 MONTH',
  '$datetime + INTERVAL 3 HOUR',
  '$date + INTERVAL 1 YEAR',
  '$date - INTERVAL 2 WEEK',
  '$date + INTERVAL 5 HOUR',
  '$datetime - $datetime',
  '$date - $date',
  '$datetime + $integer % 100',
  '$integers[1]',
  '$strings[-1]',
  '$floats[$integer % 4]',
  '($integer, $float, $string)',
  '($floats, $date)',
  '[$float, $float]',
  '[$datetime]',
  '($float, $integer) = ($float, $integer)',
  "($string, $integer) IN (($string, 1), ('a', $integer))",
  'tuple($float).1',
  '(($float, $string), $integer)',
  '[($float, $string)]',
  'CAST($float AS String)',
  'CAST($string AS Integer)',
  'CAST($integer AS Float)',
  'CAST($string AS DateTime)',
  'CAST($float AS Integer)',
  'toStartOfInterval($datetime, INTERVAL 3 HOUR)',
  'toStartOfInterval($datetime, INTERVAL 7 DAY)',
  'toStartOfInterval($datetime, INTERVAL 2 WEEK)',
  'toStartOfInterval($date, INTERVAL 5 MONTH)',
  'toStartOfInterval($datetime, INTERVAL 15 MINUTE)',
  'dateAdd(month, 1, $datetime)',
  'addMonths($datetime, $integer % 50)',
  'subtractDays($date, $integer % 50)',
  'toIntervalDay(3) + $datetime',
  '$string || $string',
  '$integer IS DISTINCT FROM $integer',
  '$integer > 1 ? $string : $string',
  '$float ?? 0',
  '$rate = $rate',
  '$rate != $rate',
  '$rate = $float',
  '$rate != $float',
  '$rate > $float',
  'NOT ($rate > $integer)',
  'NOT ($rate BETWEEN $integer AND 50)',
  '$rate IN (0.5, 1, NULL)',
  '$rate NOT IN (0.5, 1)',
  '$rate IS NULL',
  '$rate ?? 1',
  '$rate AND $boolean',
  'NOT $rate',
  'if($rate, $integer, $float)',
  'if(NOT ($rate < $integer), $string, $string)',
  'CASE $rate WHEN 1 THEN $string ELSE $string END',
  'greatest($rate, $rate)',
  'least(1, $rate)',
  'greatest($rate, 1, $rate)',
  '($rate, length(event)) = (1, 1)',
  '($rate, length(event)) != ($rate, 1)',
  'arrayFilter(x -> NOT (x > 1), [$rate, $rate])',
  'properties.document.a',
]

export const operators = (): readonly string[] => OPERATORS

export const operatorOf = (random: Random, template: string, depth: number): string =>
  template.replaceAll(/\$(\w+)/g, (_, kind: string) => expression(random, kind as Kind | 'rate', depth))
