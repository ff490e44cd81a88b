// Ranges of versions: tilde, caret and wildcard requirements, and the operator table: docs/reference/evaluation.md#versions.
import {
  compareDigits,
  comparePreRelease,
  compareSemver,
  isBuild,
  isPreRelease,
  parseSemver,
  splitVersion,
  stripPrefix,
  versionNumber,
  type Semver,
} from './semver'

/** The version operators of the API. */
export const SEMVER_OPERATORS = [
  'semver_eq',
  'semver_neq',
  'semver_gt',
  'semver_gte',
  'semver_lt',
  'semver_lte',
  'semver_tilde',
  'semver_caret',
  'semver_wildcard',
] as const
export type SemverOperator = (typeof SEMVER_OPERATORS)[number]

/** Whether a version satisfies a filter. */
export type SemverTest = (version: Semver) => boolean

/** One requirement of a range. A part that is left out accepts any number. */
interface Comparator {
  readonly relation: '=' | '>' | '>=' | '<' | '<=' | '~' | '^'
  readonly major: string
  readonly minor?: string
  readonly patch?: string
  readonly pre: string
}

/**
 * Returns the test of a version operator for the text of a filter value. Returns null when the text does not parse for that operator: at
 * evaluation the filter then never matches, and a write is rejected.
 */
export function compileSemver(operator: SemverOperator, text: string): SemverTest | null {
  if (operator === 'semver_wildcard') return compileRange(stripPrefix(text))
  const filter = parseSemver(text)
  if (filter === null) return null
  if (operator === 'semver_tilde') return rangeTest([comparatorOf('~', filter)])
  if (operator === 'semver_caret') return rangeTest([comparatorOf('^', filter)])
  const accepts = ORDERS[operator]
  return (version) => accepts(compareSemver(version, filter))
}

const ORDERS = {
  semver_eq: (order: number) => order === 0,
  semver_neq: (order: number) => order !== 0,
  semver_gt: (order: number) => order > 0,
  semver_gte: (order: number) => order >= 0,
  semver_lt: (order: number) => order < 0,
  semver_lte: (order: number) => order <= 0,
}

/** Whether a filter value's text parses for `operator`, which a write checks. */
export const isSemverFilter = (operator: SemverOperator, text: string): boolean =>
  compileSemver(operator, text) !== null

function comparatorOf(relation: '~' | '^', { core: [major, minor, patch], pre }: Semver): Comparator {
  return { relation, major, minor, patch, pre }
}

/** Maximum requirements of a range. One with more does not parse. */
const MAX_COMPARATORS = 32

/** Compiles a range as written: `1.2.*`, `*`, `1.2` (caret when no operator is written), `>=1.2.3, <2`. */
function compileRange(text: string): SemverTest | null {
  if (/^[*xX]$/.test(text)) return rangeTest([])
  const parts = text.split(',', MAX_COMPARATORS + 1)
  if (parts.length > MAX_COMPARATORS) return null
  const comparators: Comparator[] = []
  for (const part of parts) {
    const comparator = parseComparator(part.trim())
    if (comparator === null) return null
    comparators.push(comparator)
  }
  return rangeTest(comparators)
}

const RELATION = /^(>=|<=|[=><~^])\s*/
const STAR = /^[*xX]$/

function parseComparator(text: string): Comparator | null {
  const written = RELATION.exec(text)
  const { core, pre, build } = splitVersion(written === null ? text : text.slice(written[0].length))
  const parts = core.split('.', 4)
  const star = parts.findIndex((part) => STAR.test(part))
  const fixed = star < 0 ? parts : parts.slice(0, star)
  const numbers = fixed.map(versionNumber)
  const [major, minor, patch] = numbers
  if (parts.length > 3 || major === undefined || major === null || minor === null || patch === null)
    return null
  if (star >= 0 && parts.slice(star).some((part) => !STAR.test(part))) return null
  if ((pre ?? build) !== undefined && patch === undefined) return null
  if (!isPreRelease(pre) || !isBuild(build)) return null
  const relation = (written?.[1] ?? (star < 0 ? '^' : '=')) as Comparator['relation']
  return { relation, major, minor, patch, pre: pre ?? '' }
}

/** Returns a test that requires all comparators. A pre-release passes only if a comparator names a pre-release of the same version. */
function rangeTest(comparators: readonly Comparator[]): SemverTest {
  return (version) =>
    comparators.every((comparator) => satisfies(version, comparator)) &&
    (version.pre === '' || comparators.some((comparator) => namesPreRelease(version, comparator)))
}

const namesPreRelease = ({ core }: Semver, { major, minor, patch, pre }: Comparator): boolean =>
  pre !== '' && core[0] === major && core[1] === minor && core[2] === patch

function satisfies(version: Semver, comparator: Comparator): boolean {
  switch (comparator.relation) {
    case '=':
      return isExact(version, comparator)
    case '>':
      return isBeyond(version, comparator, 1)
    case '<':
      return isBeyond(version, comparator, -1)
    case '>=':
      return isExact(version, comparator) || isBeyond(version, comparator, 1)
    case '<=':
      return isExact(version, comparator) || isBeyond(version, comparator, -1)
    case '~':
      return isTilde(version, comparator)
    case '^':
      return isCaret(version, comparator)
  }
}

function isExact({ core, pre }: Semver, wanted: Comparator): boolean {
  if (core[0] !== wanted.major) return false
  if (wanted.minor !== undefined && core[1] !== wanted.minor) return false
  if (wanted.patch !== undefined && core[2] !== wanted.patch) return false
  return pre === wanted.pre
}

/** Whether a version is strictly above (`side` 1) or below (-1). A part that the comparator leaves out does not decide. */
function isBeyond({ core, pre }: Semver, wanted: Comparator, side: 1 | -1): boolean {
  for (const [at, part] of [wanted.major, wanted.minor, wanted.patch].entries()) {
    if (part === undefined) return false
    const order = compareDigits(core[at] ?? '0', part)
    if (order !== 0) return order * side > 0
  }
  return comparePreRelease(pre, wanted.pre) * side > 0
}

function isTilde({ core, pre }: Semver, { major, minor, patch, pre: wantedPre }: Comparator): boolean {
  if (core[0] !== major || (minor !== undefined && core[1] !== minor)) return false
  if (patch !== undefined && core[2] !== patch) return compareDigits(core[2], patch) > 0
  return comparePreRelease(pre, wantedPre) >= 0
}

/** Whether a version satisfies a caret: the left-most number that is not zero is the same, and the numbers right of it are not lower. */
function isCaret({ core, pre }: Semver, { major, minor, patch, pre: wantedPre }: Comparator): boolean {
  if (core[0] !== major) return false
  if (minor === undefined) return true
  const minorOrder = compareDigits(core[1], minor)
  if (patch === undefined) return major === '0' ? minorOrder === 0 : minorOrder >= 0
  if (minorOrder !== 0) return major !== '0' && minorOrder > 0
  const patchOrder = compareDigits(core[2], patch)
  if (patchOrder !== 0) return (major !== '0' || minor !== '0') && patchOrder > 0
  return comparePreRelease(pre, wantedPre) >= 0
}
