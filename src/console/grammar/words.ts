// Values and lists in English sentences.

/** Returns a text such as `12.5%`. */
export const percent = (share: number): string => `${Number(share.toPrecision(6))}%`

/** Matches values that need quotes, because they would be read as words of the sentence. */
const NEEDS_QUOTES = /^$|[\s,“”]|^(?:and|or|on|off)$/

export const textOf = (value: unknown): string =>
  typeof value !== 'string' ? JSON.stringify(value) : NEEDS_QUOTES.test(value) ? `“${value}”` : value

/** Returns a text such as `a`, `a or b`, `a, b or c`, `a, b or 3 other values`. */
export function listWords(values: readonly unknown[], joint: 'and' | 'or', maxValues = Infinity): string {
  const texts = values.map(textOf)
  const shown =
    texts.length > maxValues
      ? [...texts.slice(0, maxValues - 1), `${texts.length - maxValues + 1} other values`]
      : texts
  const last = shown.at(-1) ?? 'an empty list'
  return shown.length > 1 ? `${shown.slice(0, -1).join(', ')} ${joint} ${last}` : last
}

export const capitalized = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1)
