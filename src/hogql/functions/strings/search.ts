// Searches in texts. Regular expressions need ClickHouse: D1 has none, and its queries cannot call code of the Worker.
import { reject } from '../../error'
import { arrayOf, INTEGER, STRING } from '../../types'
import { clickhouseOnly, fill, fn } from '../define'
import { always, argument, unlessNull } from '../return-types'
import type { ScalarFunction } from '../spec'
import { inRange } from './slices'

/** The position of a part, from 1, or 0. */
const position = (names: string, ignoresCase: boolean, clickhouse: string): ScalarFunction =>
  fn(
    names,
    'string, string, integer?',
    'integer',
    (site, value, part, from?: string) => {
      const [v, p] = ignoresCase ? [`lower(${value})`, `lower(${part})`] : [value, part]
      if (from === undefined) return `instr(${v}, ${p})`
      return site.once(inRange(from), (start) =>
        site.once(
          `instr(substr(${v}, max(1, ${start})), ${p})`,
          (at) => `CASE WHEN ${at} = 0 THEN 0 ELSE ${at} + max(1, ${start}) - 1 END`,
        ),
      )
    },
    {
      clickhouse: (_, value, part, from?: string) =>
        `${clickhouse}(${value}, ${part}${from === undefined ? '' : `, toUInt64(greatest(${from}, 1))`})`,
    },
  )

/** A function of a text or an array. */
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

const NO_PATTERNS = 'the built-in database has no regular expressions'

export const SEARCH: readonly ScalarFunction[] = [
  position('position locate positionUTF8', false, 'positionUTF8'),
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
  clickhouseOnly('match', 'string, string', 'integer', NO_PATTERNS),
  clickhouseOnly('extract', 'string, string', 'string', NO_PATTERNS),
  clickhouseOnly('extractAll', 'string, string', always(arrayOf(STRING)), NO_PATTERNS),
  clickhouseOnly('extractAllGroups', 'string, string', always(arrayOf(arrayOf(STRING))), NO_PATTERNS),
  clickhouseOnly('replaceRegexpAll regexp_replace', 'string, string, string', 'string', NO_PATTERNS),
  clickhouseOnly('replaceRegexpOne', 'string, string, string', 'string', NO_PATTERNS),
  clickhouseOnly('countMatches', 'string, string', 'integer', NO_PATTERNS),
  clickhouseOnly('splitByRegexp', 'string, string', always(arrayOf(STRING)), NO_PATTERNS),
  clickhouseOnly('multiMatchAny', 'string, array', 'integer', NO_PATTERNS),
]
