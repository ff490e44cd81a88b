// Texts made of texts.
import { INTEGER, STRING, type Type } from '../../types'
import { CEILING, requireWithin, within } from '../ceiling'
import { needsClickhouse } from '../refuse'
import { argument, unlessNull } from '../returns'
import type { ScalarFunction, SqliteSite } from '../spec'
import { asText } from '../sqlite-values'

/** A function of one text that gives a text. */
const text = (
  name: string,
  sqlite: (value: string) => string,
  clickhouse: string,
  ...aliases: string[]
): ScalarFunction => ({
  kind: 'scalar',
  name,
  aliases,
  takes: ['string'],
  returns: unlessNull(STRING),
  sqlite: ([value]) => sqlite(String(value)),
  clickhouse: ([value]) => `${clickhouse}(${value})`,
})

const texts = (args: readonly string[], site: SqliteSite): string[] =>
  args.map((arg, index) => asText(arg, argument(site.types, index), site))

/** Many operands side by side without a tree as deep as they are many. */
const joined = (operands: readonly string[]): string => {
  if (operands.length <= 8) return `(${operands.join(' || ')})`
  const half = Math.ceil(operands.length / 2)
  return `(${joined(operands.slice(0, half))} || ${joined(operands.slice(half))})`
}

/** Blanks filled in at one end until the text is so long; what is longer is cut off. */
const padded = (name: string, left: boolean, ...aliases: string[]): ScalarFunction => ({
  kind: 'scalar',
  guarded: true,
  name,
  aliases,
  takes: ['string', 'integer', 'string'],
  optional: 1,
  returns: unlessNull(STRING),
  sqlite: ([value, length, filling = "' '"], site) => {
    requireWithin(name, 'characters', site.constants, 1)
    return site.once(String(value), (v) =>
      site.once(within(String(length), CEILING), (most) => {
        const blanks = `substr(replace(printf('%.*c', max(0, ${most} - length(${v})), 'x'), 'x', ${filling}), 1, max(0, ${most} - length(${v})))`
        return `CASE WHEN length(${v}) >= ${most} THEN substr(${v}, 1, max(0, ${most})) ELSE ${left ? `${blanks} || ${v}` : `${v} || ${blanks}`} END`
      }),
    )
  },
  clickhouse: (args) => `${left ? 'leftPad' : 'rightPad'}UTF8(${args.join(', ')})`,
})

const ASCII_ONLY = 'the built-in database has no upper and lower case but that of ASCII'

export const TEXT: readonly ScalarFunction[] = [
  text('lower', (v) => `lower(${v})`, 'lower', 'lcase'),
  text('upper', (v) => `upper(${v})`, 'upper', 'ucase'),
  text('lowerUTF8', needsClickhouse('lowerUTF8', ASCII_ONLY), 'lowerUTF8'),
  text('upperUTF8', needsClickhouse('upperUTF8', ASCII_ONLY), 'upperUTF8'),
  text('trim', (v) => `trim(${v})`, 'trimBoth', 'trimBoth'),
  text('trimLeft', (v) => `ltrim(${v})`, 'trimLeft', 'ltrim'),
  text('trimRight', (v) => `rtrim(${v})`, 'trimRight', 'rtrim'),
  text(
    'reverse',
    (v) =>
      `(WITH RECURSIVE r(done, left) AS (SELECT '', ${v} UNION ALL SELECT done || substr(left, -1), substr(left, 1, length(left) - 1) ` +
      `FROM r WHERE left <> '') SELECT done FROM r WHERE left = '')`,
    'reverseUTF8',
    'reverseUTF8',
  ),
  { ...text('hex', (v) => `hex(${v})`, 'hex'), guarded: true },
  {
    kind: 'scalar',
    name: 'concat',
    takes: ['any'],
    rest: 'any',
    returns: unlessNull(STRING),
    sqlite: (args, site) => (args.length === 1 ? texts(args, site).join('') : joined(texts(args, site))),
    clickhouse: (args, { types }) =>
      `concat(${args.map((arg, index) => shown(arg, argument(types, index))).join(', ')})`,
  },
  {
    kind: 'scalar',
    guarded: true,
    name: 'concatWithSeparator',
    aliases: ['concat_ws'],
    takes: ['string', 'any'],
    rest: 'any',
    returns: unlessNull(STRING),
    sqlite: ([separator, ...args], site) => {
      const rest = { ...site, types: site.types.slice(1) }
      return joined(
        texts(args, rest).flatMap((each, index) => (index > 0 ? [String(separator), each] : [each])),
      )
    },
    clickhouse: ([separator, ...args], { types }) =>
      `concatWithSeparator(${[separator, ...args.map((arg, index) => shown(arg, argument(types, index + 1)))].join(', ')})`,
  },
  {
    kind: 'scalar',
    guarded: true,
    name: 'repeat',
    takes: ['string', 'integer'],
    returns: unlessNull(STRING),
    sqlite([value, count], site) {
      requireWithin('repeat', 'repetitions', site.constants, 1)
      const times = within(String(count), CEILING)
      return `CASE WHEN ${count} <= 0 THEN '' ELSE replace(printf('%.*c', ${times}, 'x'), 'x', ${value}) END`
    },
  },
  padded('leftPad', true, 'lpad', 'leftPadUTF8'),
  padded('rightPad', false, 'rpad', 'rightPadUTF8'),
  {
    kind: 'scalar',
    name: 'replaceAll',
    aliases: ['replace'],
    takes: ['string', 'string', 'string'],
    returns: unlessNull(STRING),
    sqlite: (args) => `replace(${args.join(', ')})`,
  },
  {
    kind: 'scalar',
    name: 'replaceOne',
    takes: ['string', 'string', 'string'],
    returns: unlessNull(STRING),
    sqlite: ([value, part, other], site) =>
      site.once(String(value), (v) =>
        site.once(
          `instr(${v}, ${part})`,
          (at) =>
            `CASE WHEN ${at} = 0 OR ${part} = '' THEN ${v} ELSE substr(${v}, 1, ${at} - 1) || ${other} || substr(${v}, ${at} + length(${part})) END`,
        ),
      ),
  },
  {
    kind: 'scalar',
    guarded: true,
    name: 'ascii',
    takes: ['string'],
    returns: unlessNull(INTEGER),
    sqlite: ([value]) => `ifnull(unicode(${value}), 0)`,
  },
]

/** As `toString` shows it. */
const shown = (sql: string, { kind }: Type): string =>
  kind === 'datetime' ? `replaceOne(toString(${sql}), '.000000', '')` : sql
