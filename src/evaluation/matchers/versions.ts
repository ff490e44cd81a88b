// The version operators on a property (reference §3.10).

import type { JsonValue } from '../../json'
import { parseSemver } from '../values/semver'
import { compileSemver, type SemverOperator } from '../values/semver-range'
import { textOf } from '../values/text'

/** The test of a version operator. A side that is no version never matches, under `semver_neq` neither. */
export function semverMatcher(operator: SemverOperator, filter: JsonValue): (value: JsonValue) => boolean {
  const test = compileSemver(operator, textOf(filter))
  if (test === null) return () => false
  return (value) => {
    const version = parseSemver(textOf(value))
    return version !== null && test(version)
  }
}
