import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compareSemver, parseSemver, type Semver } from '../../../src/evaluation/values/semver'
import {
  compileSemver,
  isSemverFilter,
  type SemverOperator,
} from '../../../src/evaluation/values/semver-range'

const version = (text: string): Semver => {
  const parsed = parseSemver(text)
  if (parsed === null) throw new Error(`${text} is no version`)
  return parsed
}

const satisfies = (text: string, operator: SemverOperator, filter: string): boolean | undefined =>
  compileSemver(operator, filter)?.(version(text))

describe('parsing', () => {
  it.each(['3', '3.10', '3.08', 'v1.2', ' 1.2.3 ', '1.2.3-rc.1+b.07', '18446744073709551615.0.0'])(
    'reads %j',
    (text) => {
      expect(parseSemver(text)).not.toBeNull()
    },
  )

  it.each([
    'V1.2.3',
    ' v1',
    '1.2.3.4',
    '1..3',
    '',
    'abc',
    '1.2.3-',
    '1.2.3-01',
    '1.2.3+',
    '18446744073709551616',
  ])('refuses %j', (text) => {
    expect(parseSemver(text)).toBeNull()
  })
})

describe('precedence', () => {
  const ordered = [
    '1.0.0-alpha',
    '1.0.0-alpha.1',
    '1.0.0-alpha.beta',
    '1.0.0-beta.2',
    '1.0.0-beta.11',
    '1.0.0',
    '1.0.0+0',
    '1.0.0+00',
    '1.0.0+1',
    '1.0.0+b5',
    '1.0.1',
    '1.10.0',
    '18446744073709551615.0.0',
  ]

  it('orders releases, pre-releases and builds', () => {
    for (const [at, left] of ordered.entries()) {
      for (const [other, right] of ordered.entries()) {
        expect(Math.sign(compareSemver(version(left), version(right)))).toBe(Math.sign(at - other))
      }
    }
  })

  it('is antisymmetric', () => {
    const text = fc.tuple(
      fc.nat(3),
      fc.nat(3),
      fc.nat(3),
      fc.constantFrom('', '-a', '-a.1', '-1', '+b', '-a+1'),
    )
    const made = text.map(([a, b, c, rest]) => version(`${a}.${b}.${c}${rest}`))
    fc.assert(
      fc.property(
        made,
        made,
        (a, b) => Math.sign(compareSemver(a, b)) === -Math.sign(compareSemver(b, a)) + 0,
      ),
    )
  })
})

describe('ranges', () => {
  it.each<[string, SemverOperator, string, boolean]>([
    ['1.2.9', 'semver_tilde', '1.2.3', true],
    ['1.3.0', 'semver_tilde', '1.2.3', false],
    ['1.1.0', 'semver_tilde', '1', false],
    ['1.9.0', 'semver_caret', '1.2.3', true],
    ['0.3.0', 'semver_caret', '0.2.3', false],
    ['0.0.3', 'semver_caret', '0.0.3', true],
    ['0.0.4', 'semver_caret', '0.0.3', false],
    ['0.0.1', 'semver_caret', '0.0.0', false],
    ['1.3.0-rc', 'semver_caret', '1.2.3', false],
    ['1.2.3-rc', 'semver_caret', '1.2.3-alpha', true],
    ['1.2.4-rc', 'semver_caret', '1.2.3-alpha', false],
    ['1.9.9', 'semver_wildcard', '1.*.*', true],
    ['1.2.9', 'semver_wildcard', '1.2.*', true],
    ['1.3.0', 'semver_wildcard', '1.2.*', false],
    ['1.3.0', 'semver_wildcard', '1.2', true],
    ['2.0.0', 'semver_wildcard', '1.2', false],
    ['1.5.0', 'semver_wildcard', '>=1.2.3, <2', true],
    ['2.0.0', 'semver_wildcard', '>=1.2.3, <2', false],
    ['9.9.9', 'semver_wildcard', '*', true],
    ['1.0.0-a', 'semver_wildcard', '*', false],
  ])('%s %s %s is %s', (text, operator, filter, expected) => {
    expect(satisfies(text, operator, filter)).toBe(expected)
  })

  it.each(['*.*', '*.1', '1.*.3', '1.2.3.*', 'abc.*', '', '1.2.3,'])('rejects the wildcard %j', (filter) => {
    expect(isSemverFilter('semver_wildcard', filter)).toBe(false)
  })

  it('knows which filters a write may keep', () => {
    expect(isSemverFilter('semver_gt', '1')).toBe(true)
    expect(isSemverFilter('semver_gt', '1.2.*')).toBe(false)
    expect(isSemverFilter('semver_wildcard', '1.2.*')).toBe(true)
  })
})
