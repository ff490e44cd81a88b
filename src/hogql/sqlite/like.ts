// Writes LIKE and ILIKE. D1 accepts no pattern longer than 50 bytes, so that a constant pattern becomes a comparison.
import { HogqlError } from '../error'
import type { Expr, Node } from '../ir'
import type { SqliteContext as Context } from './context'
import { propertyBare } from './property'

const MAX_PATTERN_BYTES = 50

/** The most replaced letters. Each is a call around the text, and D1 nests at most 100 calls. */
const MAX_CAPITALS = 40

/** A piece of a pattern: a text, `%` or `_`. */
type Piece = { text: string } | '%' | '_'

export function printLike({ op, left, right }: Node<'like'>, context: Context): string {
  const fold = op.endsWith('ilike')
  if (right.node !== 'literal' || typeof right.value !== 'string') {
    const pattern = context.expr(right)
    return ofUnknown(context.expr(left), pattern, fold, context)
  }
  const pieces = piecesOf(fold ? right.value.toLowerCase() : right.value)
  const value = matched(left, pieces, context)
  return ofKnown(
    fold ? folded(value, pieces, context) : value,
    pieces,
    !fold && left.node === 'column',
    context,
  )
}

/**
 * Writes a text in lower case, as far as the pattern can distinguish. SQLite's own function only converts ASCII: other letters of the
 * pattern are replaced one by one.
 */
function folded(value: string, pieces: readonly Piece[], { parameters }: Context): string {
  const letters = new Set(pieces.flatMap((piece) => (typeof piece === 'string' ? [] : [...piece.text])))
  const capitals = [...letters].flatMap((letter) => {
    const capital = letter.toUpperCase()
    const isPair = letter > '\x7f' && capital !== letter && capital.toLowerCase() === letter
    return isPair ? [[capital, letter]] : []
  })
  if (capitals.length > MAX_CAPITALS) {
    throw new HogqlError(
      `A pattern of ILIKE may have at most ${MAX_CAPITALS} different letters outside ASCII in the built-in database.`,
    )
  }
  return capitals.reduce(
    (text, pair) => `replace(${text}, ${pair.map((letter) => parameters.bind(letter)).join(', ')})`,
    `lower(${value})`,
  )
}

/** Writes the text to match. A property is read as it is in its document, if only a text could match the pattern. */
function matched(left: Expr, pieces: readonly Piece[], context: Context): string {
  const texts = pieces.flatMap((piece) => (typeof piece === 'string' ? [] : [piece.text]))
  const isText = left.node === 'property' && texts.some((text) => /[^-+.\w]|[g-km-qv-z]/i.test(text))
  return isText ? propertyBare(left, context) : context.expr(left)
}

function piecesOf(pattern: string): Piece[] {
  const pieces: Piece[] = []
  for (const [, escaped, wild, text] of pattern.matchAll(/\\([\\%_])|([%_])|([^%_\\]+|\\)/g)) {
    const last = pieces.at(-1)
    if (wild === '%' || wild === '_') {
      if (wild === '_' || last !== '%') pieces.push(wild)
      continue
    }
    const more = escaped ?? text ?? ''
    if (typeof last === 'object') last.text += more
    else pieces.push({ text: more })
  }
  return pieces
}

/** Writes contains, starts, ends or equals when the pattern means no more, and otherwise GLOB. */
function ofKnown(value: string, pieces: readonly Piece[], isColumn: boolean, context: Context): string {
  const [first, second, third, ...rest] = pieces
  const bind = (text: string) => context.parameters.bind(text)
  const size = ({ text }: { text: string }) => [...text].length
  if (first === undefined) return `(${value} = '')`
  if (first === '%' && second === undefined) return `(${value} IS NOT NULL)`
  if (rest.length === 0) {
    if (first === '%' && typeof second === 'object' && third === '%')
      return `(instr(${value}, ${bind(second.text)}) > 0)`
    if (typeof first === 'object' && second === undefined) return `(${value} = ${bind(first.text)})`
    if (typeof first === 'object' && second === '%' && third === undefined) {
      return startsWith(value, first.text, isColumn, bind)
    }
    if (first === '%' && typeof second === 'object' && third === undefined) {
      return `(substr(${value}, -${size(second)}) = ${bind(second.text)})`
    }
  }
  const glob = pieces.map(globOf).join('')
  if (new TextEncoder().encode(glob).length > MAX_PATTERN_BYTES) {
    throw new HogqlError(
      `A pattern of LIKE with wildcards inside is limited to ${MAX_PATTERN_BYTES} bytes in the built-in database; '${textOf(pieces)}' is longer.`,
    )
  }
  return `(${value} GLOB ${bind(glob)})`
}

/** Writes a comparison of the start. For a column it is a range, for which an index is used. */
function startsWith(value: string, text: string, isColumn: boolean, bind: (text: string) => string): string {
  const last = text.codePointAt(text.length - 1) ?? 0
  if (!isColumn || last >= 0x7f) return `(substr(${value}, 1, ${[...text].length}) = ${bind(text)})`
  const end = text.slice(0, -1) + String.fromCodePoint(last + 1)
  return `(${value} >= ${bind(text)} AND ${value} < ${bind(end)})`
}

const globOf = (piece: Piece): string => {
  if (piece === '%') return '*'
  return piece === '_' ? '?' : piece.text.replace(/[[*?]/g, '[$&]')
}

const textOf = (pieces: readonly Piece[]): string =>
  pieces.map((piece) => (typeof piece === 'string' ? piece : piece.text)).join('')

/** Writes a pattern that is known only when the query runs. It is converted to one of GLOB, because SQLite's LIKE ignores case. */
function ofUnknown(value: string, pattern: string, fold: boolean, { once }: Context): string {
  if (fold) return `(${value} LIKE ${pattern} ESCAPE '\\')`
  const steps: readonly (readonly [string, string])[] = [
    ["'[' ", "'[[]'"],
    ["'*'", "'[*]'"],
    ["'?'", "'[?]'"],
    ["'\\%'", 'char(1)'],
    ["'\\_'", 'char(2)'],
    ["'%'", "'*'"],
    ["'_'", "'?'"],
    ['char(1)', "'%'"],
    ['char(2)', "'_'"],
    ["'\\\\'", "'\\'"],
  ]
  const glob = steps.reduce((text, [from, to]) => `replace(${text}, ${from.trim()}, ${to})`, pattern)
  return once(glob, (written) => `(${value} GLOB ${written})`)
}
