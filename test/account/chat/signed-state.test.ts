// The tokens that a sign-in at the chat provider carries.
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { bindingsOf, CALLBACK, START } from '../../../src/account/chat/signed-state'
import { tokenKind } from '../../../src/account/signed-token'

const keyring = (id: string, byte: number) => `${id}:${btoa(String.fromCharCode(byte).repeat(32))}`
const env = { ACCOUNT_KEYS: keyring('a', 1) } as Env
const rotated = { ACCOUNT_KEYS: `${keyring('b', 2)},${keyring('a', 1)}` } as Env
const others = { ACCOUNT_KEYS: keyring('a', 3) } as Env

const NOW = new Date('2026-03-10T12:00:00Z')
const after = (seconds: number) => new Date(NOW.getTime() + seconds * 1000)
const claims = { user: 1, project: 2, workspace: 'T1' }
const token = START.sign(env, claims, NOW)

describe('a state', () => {
  it('is valid for 900 seconds', () => {
    expect(START.verify(env, token, NOW)).toEqual(claims)
    expect(START.verify(env, token, after(899))).toEqual(claims)
    expect(START.verify(env, token, after(900))).toBe(null)
  })

  it('is valid for its purpose only', () => {
    expect(CALLBACK.verify(env, token, NOW)).toBe(null)
    const callback = CALLBACK.sign(env, { ...claims, id: 'x', session: 'y' }, NOW)
    expect(START.verify(env, callback, NOW)).toBe(null)
  })

  it('is invalid with the claims of another release', () => {
    const other = tokenKind('chat-state:start', z.object({ user: z.int() }), 900).sign(env, { user: 1 }, NOW)
    expect(START.verify(env, other, NOW)).toBe(null)
  })

  it('stays valid while its key is configured', () => {
    expect(START.verify(rotated, token, NOW)).toEqual(claims)
    expect(START.verify(others, token, NOW)).toBe(null)
    expect(START.verify(env, START.sign(rotated, claims, NOW), NOW)).toBe(null)
  })

  it('is invalid when any character differs', () => {
    fc.assert(
      fc.property(fc.nat(token.length - 1), fc.constantFrom(...'abcXYZ019-_.'), (at, char) => {
        fc.pre(token[at] !== char)
        const changed = token.slice(0, at) + char + token.slice(at + 1)
        expect(START.verify(env, changed, NOW)).toBe(null)
      }),
    )
  })

  it('is invalid when it is other text', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.base64String(), fc.constant(undefined)), (text) => {
        expect(START.verify(env, text, NOW)).toBe(null)
      }),
    )
  })
})

describe('nonce and verifier', () => {
  it('differ for every sign-in, session and deployment, and from each other', () => {
    const all = [
      bindingsOf(env, { id: 'a', session: 's' }),
      bindingsOf(env, { id: 'b', session: 's' }),
      bindingsOf(env, { id: 'a', session: 't' }),
      bindingsOf(others, { id: 'a', session: 's' }),
    ].flatMap(({ nonce, codeVerifier }) => [nonce, codeVerifier])
    expect(new Set(all).size).toBe(8)
    for (const each of all) expect(each).toMatch(/^[0-9a-f]{64}$/)
    expect(bindingsOf(env, { id: 'a', session: 's' })).toEqual({ nonce: all[0], codeVerifier: all[1] })
  })
})
