// Translates patterns of the API's dialect (docs/reference/evaluation.md#regular-expressions) to the dialect of the linear-time engine.
//
// Both engines have the same origin. Where they read a pattern alike, it is unchanged. Where they differ, it is rewritten (`\d` knows the
// digits of every script), and what would silently mean something else is rejected.

/** Characters of Unicode words, as the content of a class. */
export const WORD = '\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\x{200C}\\x{200D}'
/** Their complement by general categories, for use among other items of a class. Only `[^…]` of WORD is exact. */
export const NOT_WORD = '\\p{No}\\p{Pd}\\p{Ps}\\p{Pe}\\p{Pi}\\p{Pf}\\p{Po}\\p{S}\\p{Z}\\p{C}'
const SPACE =
  '\\t-\\r \\x{85}\\x{A0}\\x{1680}\\x{2000}-\\x{200A}\\x{2028}\\x{2029}\\x{202F}\\x{205F}\\x{3000}'
const NOT_SPACE =
  '\\x{0}-\\x{8}\\x{E}-\\x{1F}!-\\x{84}\\x{86}-\\x{9F}\\x{A1}-\\x{167F}\\x{1681}-\\x{1FFF}\\x{200B}-\\x{2027}' +
  '\\x{202A}-\\x{202E}\\x{2030}-\\x{205E}\\x{2060}-\\x{2FFF}\\x{3001}-\\x{10FFFF}'

interface CharacterSet {
  readonly alone: string
  readonly item: string
  /** An upper bound of the number of code point ranges. */
  readonly ranges: number
}

/** Escapes that stand for a set of characters: outside of a class, and among the items of one. */
const SETS: ReadonlyMap<string, CharacterSet> = new Map([
  ['d', { alone: '\\p{Nd}', item: '\\p{Nd}', ranges: 80 }],
  ['D', { alone: '\\P{Nd}', item: '\\P{Nd}', ranges: 80 }],
  ['w', { alone: `[${WORD}]`, item: WORD, ranges: 850 }],
  ['W', { alone: `[^${WORD}]`, item: NOT_WORD, ranges: 850 }],
  ['s', { alone: `[${SPACE}]`, item: SPACE, ranges: 12 }],
  ['S', { alone: `[^${SPACE}]`, item: NOT_SPACE, ranges: 12 }],
  ['h', { alone: '[0-9A-Fa-f]', item: '0-9A-Fa-f', ranges: 3 }],
  ['H', { alone: '[^0-9A-Fa-f]', item: '\\x{0}-/:-@G-`g-\\x{10FFFF}', ranges: 4 }],
])

/** An upper bound of the ranges of a Unicode property or script. The largest of Unicode 17 has some 740. */
const RANGES_OF_A_PROPERTY = 850
/** An upper bound of the ranges of a POSIX class, with the two letters outside ASCII that fold to `k` and `s`. */
const RANGES_OF_A_POSIX_CLASS = 8

/** Escapes that both engines read alike: control characters, anchors and ASCII punctuation. */
const SAME = /^[aftnrvAzbB!-/:;=?@[-`{-~]$/
const HEX = /^(?:u|x|U)(?:\{([0-9A-Fa-f]{1,8})\})|^x([0-9A-Fa-f]{2})|^u([0-9A-Fa-f]{4})|^U([0-9A-Fa-f]{8})/
const PROPERTY = /^[pP](?:[A-Za-z]|\{[^}]*\})/
/** A repetition without a least number, which is 0. The engine reads it as text. */
const UP_TO = /^\{,\d*\}/
const POSIX = /^\[:\^?[a-z]+:\]/

/** A part of a pattern and its translation. */
export interface RegexStep {
  /** The translation, and the number of units of the pattern for which it stands. */
  readonly text: string
  readonly length: number
  /** The number of code point ranges of a set or class. It is absent for a single character. */
  readonly ranges?: number
  /** The number of code points in the ranges of a class (`a-z`). */
  readonly points?: number
  /** The code point of a single character, which may be the end of a range in a class. */
  readonly code?: number
}

/** Returns the pattern in the engine's dialect, or null when it has a construct that the engine would read differently. */
export function toEngineDialect(pattern: string): string | null {
  let translated = ''
  let at = 0
  while (at < pattern.length) {
    if (pattern.startsWith('{,', at) && UP_TO.test(pattern.slice(at, at + 12))) {
      translated += '{0,'
      at += 2
    }
    const step = nextStep(pattern, at)
    if (step === null) return null
    translated += step.text
    at += step.length
  }
  return translated
}

/** Translates the escape, class or unit at a position of the pattern. Returns null when the engine would read it differently. */
export function nextStep(pattern: string, at: number): RegexStep | null {
  switch (pattern[at]) {
    case '\\':
      return escape(pattern, at + 1, 'alone')
    case '[':
      return characterClass(pattern, at)
    default:
      return { text: pattern[at] ?? '', length: 1 }
  }
}

function escape(pattern: string, at: number, place: 'alone' | 'item'): RegexStep | null {
  const letter = pattern[at] ?? ''
  const set = SETS.get(letter)
  if (set !== undefined) return { text: set[place], length: 2, ranges: set.ranges }
  const rest = pattern.slice(at, at + 40)
  const hex = HEX.exec(rest)
  if (hex !== null) {
    const digits = hex[1] ?? hex[2] ?? hex[3] ?? hex[4]!
    return { text: `\\x{${digits}}`, length: 1 + hex[0].length, code: Number.parseInt(digits, 16) }
  }
  const property = PROPERTY.exec(rest)
  if (property !== null)
    return { text: `\\${property[0]}`, length: 1 + property[0].length, ranges: RANGES_OF_A_PROPERTY }
  if (letter === 'e') return { text: '\\x{1B}', length: 2, code: 0x1b }
  // Octal numbers, back-references, marks of word starts and ends, and quoting are absent or different in the engine.
  if (letter === 'b' && pattern[at + 1] === '{') return null
  // The code is exact for punctuation, and close enough for control characters.
  return SAME.test(letter) || letter === ' '
    ? { text: `\\${letter}`, length: 2, code: letter.charCodeAt(0) }
    : null
}

/** Translates a bracketed class. Nested classes and set operations have no counterpart in the engine. */
function characterClass(pattern: string, start: number): RegexStep | null {
  let at = start + 1
  let text = '['
  const items: RegexStep[] = []
  if (pattern[at] === '^') text += pattern[at++]
  if (pattern[at] === ']') {
    items.push(literalItem(pattern, at))
    text += `\\${pattern[at++]}`
  }
  while (at < pattern.length && pattern[at] !== ']') {
    const item = classItem(pattern, at)
    if (item === null) return null
    items.push(item)
    text += item.text
    at += item.length
  }
  return at < pattern.length ? { text: `${text}]`, length: at + 1 - start, ...sizesIn(items) } : null
}

/** Ranges and code points of the items of a class. */
function sizesIn(items: readonly RegexStep[]): Pick<RegexStep, 'ranges' | 'points'> {
  let ranges = 0
  let points = 0
  for (const [index, { ranges: own = 1, text }] of items.entries()) {
    ranges += own
    const [start, end] = [items[index - 1]?.code, items[index + 1]?.code]
    if (text === '-' && start !== undefined && end !== undefined) points += Math.max(0, end - start)
  }
  return { ranges, points }
}

function classItem(pattern: string, at: number): RegexStep | null {
  const two = pattern.slice(at, at + 2)
  if (two === '&&' || two === '--' || two === '~~') return null
  switch (pattern[at]) {
    case '\\':
      return escape(pattern, at + 1, 'item')
    case '[': {
      const posix = POSIX.exec(pattern.slice(at, at + 20))
      return posix === null
        ? null
        : { text: posix[0], length: posix[0].length, ranges: RANGES_OF_A_POSIX_CLASS }
    }
    default:
      return literalItem(pattern, at)
  }
}

/** Translates a character of a class. One beyond the Basic Multilingual Plane has two units. */
function literalItem(pattern: string, at: number): RegexStep {
  const code = pattern.codePointAt(at) ?? 0
  const text = String.fromCodePoint(code)
  return { text, length: text.length, code }
}
