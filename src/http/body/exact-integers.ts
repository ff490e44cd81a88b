// Integers of JSON text that a JavaScript number does not keep (decision 33).
import { invalid } from '../../errors'
import { endOfString } from './json-size'

/** Only numbers of so many digits can be altered. Finds them in strings too, at the price of a scan. */
const MANY_DIGITS = /[\d.]{16}/
const NUMBER = /^-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/
const QUOTE = 0x22
const PLUS = 0x2b
const MINUS = 0x2d
const POINT = 0x2e
const LETTER_E = 0x65
const OPENING_BRACE = 0x7b

/**
 * @param text valid JSON.
 * @throws 400 for the first integer that parsing alters; attr is its path.
 */
export function checkIntegers(text: string): void {
  if (!MANY_DIGITS.test(text)) return
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at)
    if (unit === QUOTE) at = endOfString(text, at)
    if (unit !== MINUS && !isDigit(unit)) continue
    const end = endOfNumber(text, at)
    const token = text.slice(at, end)
    if (isAltered(token)) {
      throw invalid(
        pathAt(text, at).join('__') || null,
        `Integers past 2^53 are not kept exactly: ${token.slice(0, MAX_SHOWN)}. Send it as text.`,
      )
    }
    at = end - 1
  }
}

const MAX_SHOWN = 100

const isDigit = (unit: number) => unit >= 0x30 && unit <= 0x39

/** The first place that is neither digit, point, sign nor exponent. */
function endOfNumber(text: string, start: number): number {
  let end = start + 1
  for (; end < text.length; end += 1) {
    const unit = text.charCodeAt(end)
    const isSign = unit === PLUS || unit === MINUS
    if (!isDigit(unit) && !isSign && unit !== POINT && (unit | 0x20) !== LETTER_E) break
  }
  return end
}

/** Whether a number is an integer that is printed differently after parsing. One that parses to infinity in exponent form is not. */
function isAltered(token: string): boolean {
  if (token.length < 16) return false
  if (token.length <= 17 && Number.isSafeInteger(Number(token))) return false
  const [digits, exponent] = decimalOf(token)
  if (exponent < 0) return false
  const parsed = Number(token)
  if (!Number.isFinite(parsed)) return !/[eE]/.test(token)
  const [parsedDigits, parsedExponent] = decimalOf(String(parsed))
  return digits !== parsedDigits || exponent !== parsedExponent
}

/** A number as significant digits times a power of ten. */
function decimalOf(token: string): readonly [digits: string, exponent: number] {
  const [, whole = '', fraction = '', power = '0'] = NUMBER.exec(token) ?? []
  const padded = `${whole}${fraction}`.replace(/^0+/, '')
  const digits = trimZeros(padded)
  return digits === '' ? ['', 0] : [digits, Number(power) - fraction.length + padded.length - digits.length]
}

function trimZeros(digits: string): string {
  let end = digits.length
  while (end > 0 && digits[end - 1] === '0') end -= 1
  return digits.slice(0, end)
}

/** The keys and indexes that lead to a place of valid JSON text. */
function pathAt(text: string, place: number): string[] {
  const path: (string | number)[] = []
  const isObject: boolean[] = []
  let last = ''
  for (let at = 0; at < place; at += 1) {
    switch (text[at]) {
      case '"': {
        const start = at
        at = endOfString(text, at)
        last = text.slice(start, at + 1)
        break
      }
      case ':':
        path[path.length - 1] = (JSON.parse(last) as string).slice(0, MAX_SHOWN)
        break
      case ',':
        if (!isObject.at(-1)) path[path.length - 1] = (path.at(-1) as number) + 1
        break
      case '{':
      case '[':
        isObject.push(text.charCodeAt(at) === OPENING_BRACE)
        path.push(0)
        break
      case '}':
      case ']':
        isObject.pop()
        path.pop()
        break
      default:
    }
  }
  return path.map(String)
}
