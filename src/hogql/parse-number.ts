const NUMBER = /^[+-]?(\d+(?:\.\d*)?|\.\d+)(e[+-]?\d+)?$/i

/** Returns the decimal number that a text is, or undefined. The empty text is none, though JavaScript reads it as 0. */
export function parseNumber(text: string): number | undefined {
  const number = NUMBER.test(text.trim()) ? Number(text) : Number.NaN
  return Number.isFinite(number) ? number : undefined
}
