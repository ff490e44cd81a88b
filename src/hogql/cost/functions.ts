// Cost rules of the catalogue's scalar functions; those of arrays are in array-functions.ts. D1 cannot run a function without a rule.
import { databaseTypeOf } from '../types'
import { product, sum } from './formula'
import { ARRAY_RULES, arg, type CostRule, escaped, ESCAPED, NUMBER } from './array-functions'
import {
  perRow,
  plus,
  scaled,
  times,
  totalBytes,
  jsonArrayWidth,
  constantWidth,
  typedWidth,
  eitherOf,
  rowBytes,
  textWidth,
} from './width'
import { BYTE, CHARACTER, CHARACTERS, COPIED_BYTE, JSON_BYTE, MADE_ROW, OPERATION } from './rates'

/** Part of the first argument. */
const FIRST: CostRule = { width: (call) => textWidth(arg(call, 0).bytes, call.rows) }

/** Part of a URL: several cuts, each of which copies the rest. */
const URL_PART: CostRule = {
  ...FIRST,
  work: (call) => sum(product(call.rows, OPERATION * 40), product(arg(call, 0).bytes.sum, BYTE * 8)),
}

/** One of the arguments. */
const ANY: CostRule = { width: ({ args }) => eitherOf(args) }

/** At most the bytes of all arguments, and a constant. */
const TOTAL: CostRule = {
  width: ({ args, rows }) => textWidth(plus(rowBytes(args), perRow(rows, 32 * args.length + 32)), rows),
}

/** The needle is compared at each position of the text. */
const searching = (bound: CostRule, haystack: number, needle: number): CostRule => ({
  ...bound,
  work: (call) => sum(product(call.pairs(haystack, needle), COPIED_BYTE), bound.work?.(call) ?? 0),
})

/** Numbers may have more digits in rewritten JSON. */
const JSON_DIGITS = 4

const jsonPart: CostRule['width'] = (call) => {
  const { bytes } = arg(call, 0)
  return typedWidth(
    call.type,
    call.type.kind === 'array' ? scaled(bytes, JSON_DIGITS) : plus(bytes, perRow(call.rows, 32)),
    call.rows,
  )
}

/** Part of JSON text. */
const json = (width: CostRule['width']): CostRule => ({
  width,
  work: (call) => product(arg(call, 0).bytes.sum, JSON_BYTE),
})

/** JSON inside JSON. */
const jsonEntries = json(({ args, rows }) => jsonArrayWidth(scaled(args[0]!.bytes, ESCAPED), rows))

const padding: CostRule = {
  width: (call) => {
    const length = call.count(1)
    return textWidth(plus(arg(call, 0).bytes, scaled(length, 4)), call.rows)
  },
  work: (call) => {
    const length = call.count(1)
    const filling = call.args[2] ? times(length, call.args[2].bytes).sum : 0
    return sum(product(length.sum, 20), product(filling, COPIED_BYTE))
  },
}

const RULES: readonly [names: string, bound: CostRule][] = [
  ['coalesce ifNull nullIf assumeNotNull toNullable identity greatest least', ANY],
  ['xor isZeroOrNull', NUMBER],

  ['toInt toInt64 toIntOrZero toFloat toFloatOrZero toBool toUUID', NUMBER],
  ['toString', TOTAL],
  ['toTypeName', { width: ({ rows, types }) => constantWidth(rows, databaseTypeOf(types[0]!).length) }],

  ['toDateTime toDate toDate32 toTimeZone fromUnixTimestamp fromUnixTimestamp64Milli', NUMBER],
  ['toYear toQuarter toMonth toDayOfMonth toDayOfYear toDayOfWeek toHour toMinute toSecond', NUMBER],
  ['toISOWeek toISOYear toYYYYMM toYYYYMMDD toYYYYMMDDhhmmss monthName toWeek', NUMBER],
  ['toUnixTimestamp toUnixTimestamp64Milli toUnixTimestamp64Micro', NUMBER],
  ['toStartOfSecond toStartOfMinute toStartOfFiveMinutes toStartOfTenMinutes', NUMBER],
  ['toStartOfFifteenMinutes toStartOfHour toStartOfDay toMonday toStartOfMonth', NUMBER],
  ['toStartOfQuarter toStartOfYear toStartOfWeek toStartOfInterval toLastDayOfMonth', NUMBER],
  ['dateTrunc dateDiff age timeDiff', NUMBER],
  // No token of two characters gives more than ten.
  ['formatDateTime', { width: ({ args, rows }) => textWidth(scaled(args[1]!.bytes, 10), rows) }],

  ['lower upper lowerUTF8 upperUTF8 trim trimLeft trimRight substring left right', FIRST],
  [
    'reverse',
    {
      ...FIRST,
      work: (call) =>
        sum(
          product(call.rows, CHARACTERS),
          product(arg(call, 0).bytes.sum, CHARACTER),
          product(call.pairs(0, 0), COPIED_BYTE * 4),
        ),
    },
  ],
  ['hex', { width: (call) => textWidth(scaled(arg(call, 0).bytes, 2), call.rows) }],
  ['concat', TOTAL],
  [
    'concatWithSeparator',
    {
      width: ({ args, rows }) => textWidth(plus(totalBytes(args), scaled(args[0]!.bytes, args.length)), rows),
    },
  ],
  [
    'repeat',
    {
      width: (call) => textWidth(times(arg(call, 0).bytes, call.count(1)), call.rows),
      work: (call) => product(call.count(1).sum, 20),
    },
  ],
  ['leftPad rightPad', padding],
  [
    'replaceAll',
    searching(
      {
        width: ({ args, constants, rows }) => {
          const [value, , other] = [args[0]!, args[1]!, args[2]!]
          const part = constants[1]
          const size = typeof part === 'string' ? Math.max(1, part.length) : 1
          return textWidth(plus(value.bytes, scaled(times(value.bytes, other.bytes), 1 / size)), rows)
        },
      },
      0,
      1,
    ),
  ],
  ['replaceOne', searching(TOTAL, 0, 1)],
  ['ascii length lengthUTF8 empty notEmpty startsWith endsWith', NUMBER],
  ['position positionCaseInsensitive countSubstrings', searching(NUMBER, 0, 1)],
  ['match', NUMBER],
  // The Worker computes them.
  ['extract extractAll extractAllGroups replaceRegexpAll replaceRegexpOne regexpExtract', NUMBER],
  ['countMatches countMatchesCaseInsensitive splitByRegexp multiMatchAny multiMatchAnyIndex', NUMBER],
  ['hasToken hasTokenCaseInsensitive initcap base64Encode base64Decode', NUMBER],
  ['encodeURLComponent decodeURLComponent splitByWhitespace splitByNonAlpha alphaTokens', NUMBER],
  ['unhex translate regexpQuoteMeta sortableSemVer languageCodeToName port queryStringAndFragment', NUMBER],
  ['formatReadableSize formatReadableQuantity formatReadableTimeDelta cutURLParameter cutWWW', NUMBER],
  ['extractURLParameters extractURLParameterNames URLPathHierarchy URLHierarchy', NUMBER],

  ['protocol domain domainWithoutWWW path pathFull queryString fragment', URL_PART],
  ['cutQueryString cutFragment cutQueryStringAndFragment', URL_PART],
  // The host is trimmed by the set of its own characters.
  ['topLevelDomain', searching(URL_PART, 0, 0)],
  ['extractURLParameter', searching(URL_PART, 0, 1)],

  [
    'JSONExtractInt JSONExtractUInt JSONExtractFloat JSONExtractBool JSONHas JSONLength JSONType',
    json(NUMBER.width),
  ],
  ['JSONExtractString JSONExtractRaw JSONExtract', json(jsonPart)],
  ['JSONExtractKeys JSONExtractArrayRaw JSONExtractKeysAndValuesRaw', jsonEntries],
  ['isValidJSON', json(NUMBER.width)],
  [
    'toJSONString',
    { width: ({ args, rows }) => textWidth(plus(escaped(args[0]!.bytes), perRow(rows, 34)), rows) },
  ],

  ['round roundBankers floor ceil trunc abs sign pow sqrt cbrt exp exp2 exp10 log log2 log10', NUMBER],
  ['sinh cosh tanh asinh acosh atanh atan2 hypot log1p positiveModulo moduloOrZero bitNot bitTest', NUMBER],
  // A row for each step.
  ['gcd lcm factorial roundToExp2 bitCount', { ...NUMBER, work: ({ rows }) => product(rows, MADE_ROW * 64) }],
  ['sin cos tan asin acos atan degrees radians pi e intDiv intDivOrZero mod max2 min2', NUMBER],
  ['bitAnd bitOr bitShiftLeft bitShiftRight bitXor isNaN isFinite isInfinite ifNotFinite', NUMBER],
]

const BY_NAME: ReadonlyMap<string, CostRule> = new Map(
  [...RULES, ...ARRAY_RULES].flatMap(([names, bound]) =>
    names.split(' ').map((name) => [name, bound] as const),
  ),
)

/** @throws Error for a function without a rule */
export function ruleOf(fn: string): CostRule {
  const bound = BY_NAME.get(fn)
  if (!bound) throw new Error(`no bound for the function ${fn}`)
  return bound
}
