// Finds regular expressions that mean equals, starts with, ends with or contains, for which SQLite has operators.
import type { SqliteSite } from '../spec'

export interface PlainPattern {
  text: string
  /** Whether the text is anchored to the start, and to the end. */
  atStart: boolean
  atEnd: boolean
}

/**
 * Matches `^`, a text without operators, and `$`. An escaped letter counts as an operator, and so does a character of two units before
 * one.
 */
const PLAIN = /^(\^?)((?:[^\\^$.|?*+()[\]{}]|\\[^\w\s\u0080-\uffff])*)(\$?)$/

/** The most alternatives. With more, patterns are no longer cheaper in SQL. */
const MAX_ALTERNATIVES = 10

/** Returns the alternatives of a pattern without operators except `|`, or null for any other pattern. */
export function plainPattern(pattern: string): PlainPattern[] | null {
  const alternatives = pattern.split(/(?<!\\)\|/)
  if (alternatives.length > MAX_ALTERNATIVES || /\\\\\|/.test(pattern)) return null
  const plain = alternatives.flatMap((alternative): PlainPattern[] => {
    const [, start, text = '', end] = PLAIN.exec(alternative) ?? []
    return start === undefined
      ? []
      : [{ text: text.replaceAll(/\\(.)/g, '$1'), atStart: start !== '', atEnd: end !== '' }]
  })
  return plain.length === alternatives.length ? plain : null
}

/** Returns SQL of whether a text matches one of the patterns. It is NULL for NULL. */
export function writePlain(
  alternatives: readonly PlainPattern[],
  value: string,
  { once, bind }: SqliteSite,
): string {
  return once(value, (v) => {
    const conditions = alternatives.map(({ text, atStart, atEnd }) => {
      const size = [...text].length
      if (atStart && atEnd) return `${v} = ${bind(text)}`
      if (size === 0) return `${v} = ${v}`
      if (atStart) return `substr(${v}, 1, ${size}) = ${bind(text)}`
      if (atEnd) return `substr(${v}, -${size}) = ${bind(text)}`
      return `instr(${v}, ${bind(text)}) > 0`
    })
    return `(${conditions.join(' OR ')})`
  })
}
