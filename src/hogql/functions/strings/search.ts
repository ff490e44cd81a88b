// Searches in texts. SQLite has no regular expressions: the Worker computes most for D1.
import { reject } from '../../error'
import { arrayOf, INTEGER, isText, STRING } from '../../types'
import { computed, fill, fn } from '../define'
import { always, argument, elementOf, type Returns, unlessNull } from '../return-types'
import type { ScalarFunction } from '../spec'
import { plainPattern, writePlain } from './plain-patterns'
import { inRange } from './slices'

/** An integer, for a text and a list of patterns. */
const ofPatterns: Returns = (args, constants) =>
  isText(elementOf(argument(args, 1)))
    ? unlessNull(INTEGER)(args, constants)
    : reject(null, 'Patterns are a list of texts.')

/**
 * Defines a function that returns the position of a part, from 1, or 0.
 * @param inOrder puts the text before the part, where a function takes them the other way round
 */
const position = (
  names: string,
  ignoresCase: boolean,
  clickhouse: string,
  inOrder: (one: string, other: string) => [text: string, part: string] = (text, part) => [text, part],
): ScalarFunction =>
  fn(
    names,
    'string, string, integer?',
    'integer',
    (site, first, second, from?: string) => {
      const [value, part] = inOrder(first, second)
      const [v, p] = ignoresCase ? [`lower(${value})`, `lower(${part})`] : [value, part]
      if (from === undefined) return `instr(${v}, ${p})`
      return site.once(inRange(from), (start) =>
        site.once(
          `instr(substr(${v}, max(1, ${start})), ${p})`,
          (at) =>
            `CASE WHEN ${at} > 0 AND ${start} <= length(${v}) + 1 THEN ${at} + max(1, ${start}) - 1 ELSE ${at} * 0 END`,
        ),
      )
    },
    {
      clickhouse: (_, first, second, from?: string) =>
        `${clickhouse}(${inOrder(first, second).join(', ')}${from === undefined ? '' : `, toUInt64(if(${from} < 1, 1, ${from}))`})`,
    },
  )

/** Defines a function of a text or an array. */
const ofEither = (name: string, text: string, array: string): ScalarFunction =>
  fn(
    name,
    'any',
    (args, constants) => {
      const { kind } = argument(args, 0)
      if (kind !== 'string' && kind !== 'json' && kind !== 'array' && kind !== 'null') {
        reject(null, `'${name}' takes a text or an array.`)
      }
      return unlessNull(INTEGER)(args, constants)
    },
    ({ types }, value) => fill(argument(types, 0).kind === 'array' ? array : text, value),
  )

export const SEARCH: readonly ScalarFunction[] = [
  position('position positionUTF8', false, 'positionUTF8'),
  position('locate', false, 'positionUTF8', (part, text) => [text, part]),
  position('positionCaseInsensitive positionCaseInsensitiveUTF8', true, 'positionCaseInsensitiveUTF8'),
  ofEither('length', 'octet_length($1)', 'json_array_length($1)'),
  fn('lengthUTF8 char_length character_length', 'string', 'integer', 'length($1)'),
  ofEither('empty', "($1 = '')", "($1 = '[]')"),
  ofEither('notEmpty', "($1 <> '')", "($1 <> '[]')"),
  fn('startsWith', 'string, string', 'integer', '(substr($1, 1, length($2)) = $2)'),
  fn('endsWith', 'string, string', 'integer', "($2 = '' OR substr($1, -length($2)) = $2)"),
  fn(
    'countSubstrings',
    'string, string',
    'integer',
    "CASE WHEN $2 = '' THEN 0 ELSE (length($1) - length(replace($1, $2, ''))) / length($2) END",
  ),
  computed('match', 'string, string', 'integer', {
    isCondition: true,
    isPlain: ([, pattern]) => typeof pattern === 'string' && plainPattern(pattern) !== null,
    sqlite: (site, value) => writePlain(plainPattern(String(site.constants[1])) ?? [], value, site),
  }),
  computed('extract', 'string, string', 'string'),
  computed('extractAll', 'string, string', always(arrayOf(STRING))),
  computed('extractAllGroups extractAllGroupsVertical', 'string, string', always(arrayOf(arrayOf(STRING)))),
  computed('regexpExtract', 'string, string, integer?', 'string'),
  computed('replaceRegexpAll regexp_replace', 'string, string, string', 'string'),
  computed('replaceRegexpOne', 'string, string, string', 'string'),
  computed('countMatches', 'string, string', 'integer'),
  computed('countMatchesCaseInsensitive', 'string, string', 'integer'),
  computed('splitByRegexp', 'string, string', always(arrayOf(STRING)), {
    operand: 1,
    clickhouse: ({ types }, pattern, value) => {
      const isPlain = !argument(types, 0).nullable && !argument(types, 1).nullable
      return isPlain
        ? `splitByRegexp(${pattern}, ${value})`
        : `multiIf(isNull(${value}), [], isNull(${pattern}), [ifNull(${value}, '')], splitByRegexp(ifNull(${pattern}, ''), ifNull(${value}, '')))`
    },
  }),
  computed('multiMatchAny', 'string, array', ofPatterns, {
    isCondition: true,
    clickhouse: ({ types }, value, patterns) =>
      `multiMatchAny(${value}, ${elementOf(argument(types, 1)).nullable ? `arrayMap(x -> assumeNotNull(x), arrayFilter(x -> isNotNull(x), ${patterns}))` : patterns})`,
  }),
  computed('multiMatchAnyIndex', 'string, array', ofPatterns, {
    clickhouse: ({ types }, value, patterns) => {
      const first = `arrayFirstIndex(p -> ifNull(match(${value}, p), 0), ${patterns})`
      return argument(types, 0).nullable ? `if(isNull(${value}), NULL, ${first})` : first
    },
  }),
  computed('hasToken', 'string, string', 'integer', { isCondition: true }),
  computed('hasTokenCaseInsensitive', 'string, string', 'integer', { isCondition: true }),
]
