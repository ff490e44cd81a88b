// Reads JSON as clients write it. Numbers of Python's `json.dumps`, and with it of PostHog's Python SDK, may be NaN, Infinity or
// -Infinity. Text that was cut within a character, such as an emoji, ends with half of the character.
import { endOfString } from '../../http/body/json-size'

const QUOTE = 0x22
const MINUS = 0x2d
const CAPITAL_N = 0x4e
const CAPITAL_I = 0x49
const NAN = 'NaN'
const INFINITY = 'Infinity'

/** Returns the text with `null` in place of each NaN and Infinity outside of strings, or null when there are none. It takes one pass. */
export function withoutNotNumbers(text: string): string | null {
  if (!text.includes(NAN) && !text.includes(INFINITY)) return null
  let json = ''
  let copied = 0
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at)
    let word: string
    if (unit === QUOTE) {
      at = endOfString(text, at)
      continue
    } else if (unit === CAPITAL_N && text.startsWith(NAN, at)) word = NAN
    else if (unit === CAPITAL_I && text.startsWith(INFINITY, at)) word = INFINITY
    else continue
    const start = text.charCodeAt(at - 1) === MINUS ? at - 1 : at
    json += `${text.slice(copied, start)}null`
    at += word.length - 1
    copied = at + 1
  }
  return json + text.slice(copied)
}

const HALF = /\\u[dD][89a-fA-F]/
const ESCAPES =
  /\\(?:u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|(u[dD][89a-fA-F][\da-fA-F]{2})|[^])/g

/**
 * Returns the text with U+FFFD in place of each half of a character. ClickHouse cannot read a document with such a half, and would lose
 * all of its properties. It takes one pass.
 */
export const withoutHalves = (text: string): string =>
  HALF.test(text)
    ? text.replace(ESCAPES, (escape, half: string | undefined) => (half === undefined ? escape : '\\ufffd'))
    : text
