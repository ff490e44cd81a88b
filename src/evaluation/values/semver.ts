// Semantic versions: normalising what people write, strict parsing, and precedence: docs/reference/evaluation.md#versions.

/** A parsed version. Numbers stay digits without leading zeros, because they may have 64 bits, more than a double has. */
export interface Semver {
  readonly core: readonly [major: string, minor: string, patch: string]
  /** The dot-separated pre-release text. It is empty for a release. */
  readonly pre: string
  /** The dot-separated build metadata. It is empty when there is none. */
  readonly build: string
}

const LARGEST = '18446744073709551615'
const DIGITS = /^\d+$/
const IDENTIFIERS = /^[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*$/
const PADDED_NUMBER = /(?:^|\.)0\d+(?:\.|$)/

/**
 * Parses a version after normalizing it: one leading lower-case `v` is removed, then surrounding space, then leading zeros. Missing minor
 * and patch are 0. Returns null when the rest is not strict SemVer 2.0: `V1.2.3`, `1.2.3.4`, `1..3`, ``.
 */
export function parseSemver(text: string): Semver | null {
  const { core, pre, build } = splitVersion(stripPrefix(text))
  // Four parts are already too many, so that a text as long as a request is not split further.
  const numbers = core.split('.', 4).map(versionNumber)
  if (numbers.length > 3) return null
  const [major, minor = '0', patch = '0'] = numbers
  if (major === null || major === undefined || minor === null || patch === null) return null
  if (!isPreRelease(pre) || !isBuild(build)) return null
  return { core: [major, minor, patch], pre: pre ?? '', build: build ?? '' }
}

/** Removes one leading lower-case `v`, then trims: ` v1` keeps its `v` and is invalid. */
export const stripPrefix = (text: string): string => (text.startsWith('v') ? text.slice(1) : text).trim()

/** Splits `1.2.3-pre+build` into its parts. A part is undefined when its mark is missing. */
export function splitVersion(text: string): { core: string; pre?: string; build?: string } {
  const plus = text.indexOf('+')
  const build = plus < 0 ? undefined : text.slice(plus + 1)
  const rest = plus < 0 ? text : text.slice(0, plus)
  const minus = rest.indexOf('-')
  return {
    core: minus < 0 ? rest : rest.slice(0, minus),
    pre: minus < 0 ? undefined : rest.slice(minus + 1),
    build,
  }
}

/** Returns the digits of a version number without leading zeros, or null when it is invalid or exceeds 64 bits. */
export function versionNumber(text: string): string | null {
  if (!DIGITS.test(text)) return null
  const digits = text.replace(/^0+(?=\d)/, '')
  return compareDigits(digits, LARGEST) > 0 ? null : digits
}

/** Whether a pre-release part is well formed: absent, or identifiers whose numbers have no leading zero. */
export const isPreRelease = (pre: string | undefined): boolean =>
  pre === undefined || (IDENTIFIERS.test(pre) && !PADDED_NUMBER.test(pre))

/** Whether a build part is well formed: absent, or identifiers. */
export const isBuild = (build: string | undefined): boolean => build === undefined || IDENTIFIERS.test(build)

/** Returns a negative number, zero or a positive number when `left` is below, equal to or above `right`. Build metadata counts. */
export function compareSemver(left: Semver, right: Semver): number {
  return (
    compareDigits(left.core[0], right.core[0]) ||
    compareDigits(left.core[1], right.core[1]) ||
    compareDigits(left.core[2], right.core[2]) ||
    comparePreRelease(left.pre, right.pre) ||
    compareBuild(left.build, right.build)
  )
}

/** Compares two numbers that are digits without leading zeros. */
export function compareDigits(left: string, right: string): number {
  if (left.length !== right.length) return left.length - right.length
  return left < right ? -1 : Number(left > right)
}

/** Compares two pre-release texts by SemVer precedence. A release (empty) is above every pre-release. */
export function comparePreRelease(left: string, right: string): number {
  if (left === right) return 0
  if (left === '' || right === '') return left === '' ? 1 : -1
  return compareLists(left, right, compareDigits)
}

const trimZeros = (digits: string): string => digits.replace(/^0+/, '')

/** Compares build metadata like a pre-release, except that none is lowest, and leading zeros break ties: 0 < 00 < 1 < 01. */
function compareBuild(left: string, right: string): number {
  if (left === right) return 0
  return compareLists(left, right, (a, b) => compareDigits(trimZeros(a), trimZeros(b)) || a.length - b.length)
}

/** Compares dot-separated identifiers: numbers are below words, words are ordered by ASCII, and a longer list is above its own start. */
function compareLists(left: string, right: string, numeric: (a: string, b: string) => number): number {
  const rights = right.split('.')
  for (const [at, a] of left.split('.').entries()) {
    const b = rights[at]
    if (b === undefined) return 1
    const order = compareIdentifiers(a, b, numeric)
    if (order !== 0) return order
  }
  return left.split('.').length - rights.length
}

function compareIdentifiers(a: string, b: string, numeric: (a: string, b: string) => number): number {
  const [aNumber, bNumber] = [a === '' || DIGITS.test(a), b === '' || DIGITS.test(b)]
  if (aNumber && bNumber) return numeric(a, b)
  if (aNumber || bNumber) return aNumber ? -1 : 1
  return a < b ? -1 : Number(a > b)
}
