// Counts values and levels of JSON text, so that limits apply before parsing allocates memory.
import { ApiError, malformed } from '../../errors'

export interface JsonLimits {
  /** The maximum depth of arrays and objects. */
  readonly maxDepth: number
  /** The maximum number of values: arrays, objects and everything in them. Names of members do not count. */
  readonly maxValues: number
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c

/**
 * Counts the levels and the values of JSON text, in one pass. It never throws, and the counts of invalid JSON mean nothing.
 * @param limits the count stops when one is exceeded
 */
export function measureJson(text: string, { maxDepth, maxValues }: JsonLimits) {
  let level = 0
  let depth = 0
  // A value follows a comma, or the opening bracket of an array or object that is not empty.
  let values = 1
  let isEmpty = false
  for (let at = 0; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case 0x20:
      case 0x09:
      case 0x0a:
      case 0x0d:
        continue
      case QUOTE:
        at = endOfString(text, at)
        break
      case COMMA:
        values += 1
        break
      case 0x5b:
      case 0x7b:
        level += 1
        depth = Math.max(depth, level)
        values += 1
        isEmpty = true
        if (level > maxDepth || values > maxValues + 1) return { depth, values }
        continue
      case 0x5d:
      case 0x7d:
        level -= 1
        if (isEmpty) values -= 1
        break
      default:
    }
    isEmpty = false
    // The last bracket may be that of an empty array, which counts one less.
    if (values > maxValues + 1) return { depth, values }
  }
  return { depth, values }
}

/** Returns the index of the closing quote, or the end of the text. */
export function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const unit = text.charCodeAt(at)
    if (unit === QUOTE) return at
    if (unit === BACKSLASH) at += 1
  }
  return text.length
}

/**
 * Checks JSON text against limits.
 * @returns the number of values
 * @throws 400 above `maxDepth`; 413 above `maxValues`: SDKs then split their batches
 */
export function checkJsonSize(text: string, limits: JsonLimits): number {
  const { depth, values } = measureJson(text, limits)
  if (depth > limits.maxDepth) throw malformed(`nested deeper than ${limits.maxDepth} levels`)
  if (values > limits.maxValues) throw tooManyValues(limits.maxValues)
  return values
}

export const tooManyValues = (maxValues: number) =>
  new ApiError({
    status: 413,
    type: 'invalid_request',
    code: 'request_too_large',
    detail: `Request body exceeds the maximum of ${maxValues} JSON values.`,
  })
