// What a key may be given.
import { describe, expect, it } from 'vitest'
import { checkScopes } from '../../../src/account/keys/key-scopes'
import { SERVED_SCOPES } from '../../../src/account/keys/served-scopes'
import { areas } from '../../../src/areas'

/** Scopes that the operations ask for. */
const asked = new Set<string>(
  areas
    .flatMap(({ operations }) => operations)
    .flatMap(({ scope }) => (scope === null || scope === 'any' ? [] : [scope])),
)

describe('the scopes on the settings page', () => {
  it('cover every operation', () => {
    const offered = new Set(SERVED_SCOPES.map(([scope]) => scope))
    expect([...asked].filter((scope) => !offered.has(scope))).toEqual([])
  })

  it('are all valid for keys', () => {
    expect(() => checkScopes(SERVED_SCOPES.map(([scope]) => scope))).not.toThrow()
  })
})
