// Functions that make texts of texts.
import { reject } from '../../error'
import { languageNames, SEMVER } from '../../computed/texts'
import { arrayOf, STRING } from '../../types'
import { clickhouseText } from '../conversions'
import { computed, fn } from '../define'
import { atMost, MAX_LENGTH, requireAtMost } from '../limits'
import { always, argument, unlessNull } from '../return-types'
import type { ScalarFunction, Site, SqliteSite } from '../spec'
import { asText, joined } from '../sqlite-values'

const text = (names: string, sqlite: string, clickhouse: string): ScalarFunction =>
  fn(names, 'string', 'string', sqlite, { clickhouse: `${clickhouse}($1)` })

/** Converts arguments to text, each datetime in its own time zone. */
const texts = (args: readonly string[], site: SqliteSite, from = 0): string[] =>
  args.map((arg, index) =>
    asText(arg, argument(site.types, from + index), { ...site, zone: site.zoneOf(from + index) }),
  )

/** Converts arguments to text. ClickHouse itself converts everything but datetimes in the same way. */
const shown = (args: readonly string[], { types }: Pick<Site, 'types'>, from = 0): string[] =>
  args.map((arg, index) => {
    const type = argument(types, from + index)
    return type.kind === 'datetime' ? clickhouseText(arg, type) : arg
  })

/**
 * Defines a function that removes spaces, or the characters of a set, from the ends of a text. ClickHouse reads the set as bytes, some of
 * which characters outside of ASCII share.
 */
const trimmed = (names: string, sqlite: string, clickhouse: string): ScalarFunction =>
  fn(
    names,
    'string, string?',
    (types, constants) => {
      const [, set] = constants
      if (typeof set === 'string' && !/^\p{ASCII}*$/u.test(set))
        reject(null, `'${names.split(' ')[0]}' takes ASCII characters to remove, and got '${set}'`)
      return unlessNull(STRING)(types, constants)
    },
    `${sqlite}($*)`,
    { constantFrom: 1, clickhouse: `${clickhouse}($*)` },
  )

/** Defines a function that fills a text at one end up to a length, or cuts it off. */
const padded = (names: string, name: string, isLeft: boolean): ScalarFunction =>
  fn(
    names,
    'string, integer, string?',
    'string',
    (site, value, length, given = "''") => {
      requireAtMost(name, 'characters', site.constants, 1)
      const filling = `ifnull(nullif(${given}, ''), ' ')`
      return site.once(value, (v) =>
        site.once(atMost(length, MAX_LENGTH), (max) => {
          const padding = `substr(replace(printf('%.*c', max(0, ${max} - length(${v})), 'x'), 'x', ${filling}), 1, max(0, ${max} - length(${v})))`
          return `CASE WHEN length(${v}) >= ${max} THEN substr(${v}, 1, max(0, ${max})) ELSE ${isLeft ? `${padding} || ${v}` : `${v} || ${padding}`} END`
        }),
      )
    },
    {
      guarded: true,
      // ClickHouse rejects a negative length.
      clickhouse: (_, value, length = '0', ...filling) =>
        `${name}UTF8(${[value, `if(${length} < 0, 0, ${length})`, ...filling].join(', ')})`,
    },
  )

/** Returns SQL of the first byte of a character in UTF-8. */
const firstByte = (character: string): string =>
  `CASE WHEN ${character} < 128 THEN ${character} WHEN ${character} < 2048 THEN 192 + (${character} >> 6) ` +
  `WHEN ${character} < 65536 THEN 224 + (${character} >> 12) ELSE 240 + (${character} >> 18) END`

/** Defines a function that returns the words of a text; one that is NULL has none. */
const words = (name: string): ScalarFunction =>
  computed(name, 'string', always(arrayOf(STRING)), {
    clickhouse: ({ types }, value) =>
      `${name}(${argument(types, 0).nullable ? `ifNull(${value}, '')` : value})`,
  })

export const TEXT: readonly ScalarFunction[] = [
  text('lower lcase', 'lower($1)', 'lower'),
  text('upper ucase', 'upper($1)', 'upper'),
  computed('lowerUTF8', 'string', 'string'),
  computed('upperUTF8', 'string', 'string'),
  computed('initcap', 'string', 'string'),
  computed('base64Encode', 'string', 'string'),
  computed('base64Decode tryBase64Decode', 'string', 'string', { clickhouse: 'tryBase64Decode($1)' }),
  computed('unhex', 'string', 'string'),
  computed('translate translateUTF8', 'string, string, string', 'string', {
    clickhouse: 'translateUTF8($*)',
  }),
  computed('regexpQuoteMeta', 'string', 'string'),
  // These functions take a number as text.
  computed('formatReadableSize', 'string', 'string', { clickhouse: 'formatReadableSize(toFloat64($1))' }),
  computed('formatReadableQuantity', 'string', 'string', {
    clickhouse: 'formatReadableQuantity(toFloat64($1))',
  }),
  computed('formatReadableTimeDelta', 'string', 'string', {
    clickhouse: 'formatReadableTimeDelta(toFloat64($1))',
  }),
  computed('sortableSemVer', 'string', 'string', {
    clickhouse: ({ bind }, version) =>
      `arrayStringConcat(arrayMap(n -> leftPad(n, 19, '0'), arrayFilter(n -> n != '', splitByChar('.', extract(${version}, ${bind(SEMVER)})))), '.')`,
  }),
  computed('languageCodeToName', 'string', 'string', {
    clickhouse: ({ bind }, code) => {
      const names = [...languageNames()]
      const list = (at: 0 | 1) => `splitByChar(',', ${bind(names.map((entry) => entry[at]).join(','))})`
      return `transform(${code}, ${list(0)}, ${list(1)}, ${code})`
    },
  }),
  words('splitByWhitespace'),
  words('splitByNonAlpha'),
  computed('alphaTokens splitByAlpha', 'string', always(arrayOf(STRING))),
  trimmed('trim trimBoth', 'trim', 'trimBoth'),
  trimmed('trimLeft ltrim', 'ltrim', 'trimLeft'),
  trimmed('trimRight rtrim', 'rtrim', 'trimRight'),
  text(
    'reverse reverseUTF8',
    "(WITH RECURSIVE r(done, left) AS (SELECT '', $1 UNION ALL SELECT done || substr(left, -1), substr(left, 1, length(left) - 1) " +
      "FROM r WHERE left <> '') SELECT done FROM r WHERE left = '')",
    'reverseUTF8',
  ),
  { ...text('hex', 'hex($1)', 'hex'), guarded: true },
  // PostHog prints a NULL in `concat`, `||` and f'…' as an empty text: the result is never NULL.
  fn(
    'concat',
    'any, any...',
    (args) =>
      args.every(({ kind }) => kind === 'array')
        ? reject(null, "'concat' of arrays is not supported: use arrayConcat.")
        : STRING,
    (site, ...args) =>
      joined(
        texts(args, site).map((each, index) =>
          argument(site.types, index).nullable ? `ifnull(${each}, '')` : each,
        ),
      ),
    {
      clickhouse: (site, ...args) =>
        `concat(${args
          .map((arg, index) => {
            const type = argument(site.types, index)
            return type.nullable ? `ifNull(${clickhouseText(arg, type)}, '')` : shown([arg], site, index)[0]
          })
          .join(', ')})`,
    },
  ),
  // The result is NULL when an argument is, as in ClickHouse.
  fn(
    'concatWithSeparator concat_ws',
    'string, any, any...',
    'string',
    (site, separator, first = "''", ...rest) => {
      const [start = '', ...others] = texts([first, ...rest], site, 1)
      // Without a second text, the result depends on the separator only by whether it is NULL.
      if (others.length === 0) return `(${start} || substr(${separator}, 1, 0))`
      const isNothing = site.constants[0] === ''
      return joined([start, ...others.flatMap((each) => (isNothing ? [each] : [separator, each]))])
    },
    {
      clickhouse: (site, separator, ...args) =>
        `concatWithSeparator(${[separator, ...shown(args, site, 1)].join(', ')})`,
    },
  ),
  fn(
    'repeat',
    'string, integer',
    'string',
    (site, value, count) => {
      requireAtMost('repeat', 'repetitions', site.constants, 1)
      return `CASE WHEN ${count} <= 0 THEN '' ELSE replace(printf('%.*c', ${atMost(count, MAX_LENGTH)}, 'x'), 'x', ${value}) END`
    },
    { guarded: true },
  ),
  padded('leftPad lpad leftPadUTF8', 'leftPad', true),
  padded('rightPad rpad rightPadUTF8', 'rightPad', false),
  fn('replaceAll replace', 'string, string, string', 'string', 'replace($*)', { guarded: true }),
  fn(
    'replaceOne',
    'string, string, string',
    'string',
    (site, value, part, other) =>
      site.once(value, (v) =>
        site.once(
          `instr(${v}, ${part})`,
          (at) =>
            `CASE WHEN ${at} = 0 OR ${part} = '' THEN ${v} ELSE substr(${v}, 1, ${at} - 1) || ${other} || substr(${v}, ${at} + length(${part})) END`,
        ),
      ),
    { guarded: true },
  ),
  fn('ascii', 'string', 'integer', ({ once }, value) => once(`ifnull(unicode(${value}), 0)`, firstByte), {
    guarded: true,
  }),
]
