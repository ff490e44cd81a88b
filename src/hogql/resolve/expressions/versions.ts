// Resolves comparisons of versions (SemVer). They are false for a text that is not a version.
import { sortable } from '../../computed/texts'
import { reject } from '../../error'
import type { CompareOp, Expr } from '../../ir'
import { all, call, literalOf, text } from '../../ir-build'
import type { Located } from '../../parser/ast'
import type { Resolution } from '../context/resolution'
import { compare } from './comparisons'

const COMPARISONS: Readonly<Record<string, CompareOp>> = {
  semver_eq: '=',
  semver_neq: '!=',
  semver_gt: '>',
  semver_gte: '>=',
  semver_lt: '<',
  semver_lte: '<=',
}

type Version = [major: number, minor: number, patch: number]

export function versionCondition(
  r: Resolution,
  node: Located,
  operator: string,
  value: Expr,
  wanted: Expr,
): Expr {
  const version = call('sortableSemVer', value)
  // Unlike `!=`, this comparison is false for NULL.
  const isVersion = compare(r, '>', version, text(''), node)
  const against = (op: CompareOp, numbers: readonly number[]) =>
    compare(r, op, version, text(sortable(numbers)), node)
  const within = ([low, high]: readonly [Version, Version]) =>
    all([isVersion, against('>=', low), against('<', high)])
  const written = literalOf(wanted)
  switch (operator) {
    case 'semver_wildcard':
      return within(wildcard(node, String(written)))
    case 'semver_tilde':
      return within(tilde(versionOf(node, String(written)), isMajorOnly(String(written))))
    case 'semver_caret':
      return within(caret(versionOf(node, String(written))))
    default:
      return all([isVersion, against(COMPARISONS[operator]!, versionOf(node, String(written)))])
  }
}

/** Parses a version. Missing numbers are 0. */
function versionOf(node: Located, written: string): Version {
  const [, major, minor = '0', patch = '0'] =
    /^v?(\d{1,15})(?:\.(\d{1,15}))?(?:\.(\d{1,15}))?(?:[-+]\S*)?$/.exec(written.trim()) ?? []
  return major === undefined
    ? reject(node, `'${written}' is not a version such as 1.2.3`, 'invalid_query')
    : [Number(major), Number(minor), Number(patch)]
}

/** Returns the bounds of `1.2.*` or `1.*`. */
function wildcard(node: Located, written: string): [Version, Version] {
  const [, major, minor] = /^v?(\d{1,15})(?:\.(\d{1,15}))?\.\*$/.exec(written.trim()) ?? []
  if (major === undefined)
    reject(node, `'${written}' is not a version with a wildcard such as 1.2.*`, 'invalid_query')
  return minor === undefined
    ? [
        [Number(major), 0, 0],
        [Number(major) + 1, 0, 0],
      ]
    : tilde([Number(major), Number(minor), 0], false)
}

const isMajorOnly = (written: string): boolean => /^v?\d+$/.test(written.trim())

/** Returns the bounds of versions with the same minor version, or with the same major version where no minor one is written, as upstream. */
const tilde = ([major, minor, patch]: Version, isMajor: boolean): [Version, Version] => [
  [major, minor, patch],
  isMajor ? [major + 1, 0, 0] : [major, minor + 1, 0],
]

/** Returns the bounds of versions with the same first number that is not 0. */
function caret([major, minor, patch]: Version): [Version, Version] {
  const next: Version = major > 0 ? [major + 1, 0, 0] : minor > 0 ? [0, minor + 1, 0] : [0, 0, patch + 1]
  return [[major, minor, patch], next]
}
