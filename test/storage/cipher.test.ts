// Secrets at rest.
import { describe, expect, it } from 'vitest'
import { createKeyring, isEncrypted, NoKey } from '../../src/storage/cipher'

const key = (id: string, byte: number) => `${id}:${btoa(String.fromCharCode(byte).repeat(32))}`

describe('a key ring', () => {
  it('decrypts its own text, and encrypts differently each time', async () => {
    const ring = createKeyring(key('a', 1))
    const [first, second] = [
      await ring.encrypt('wellkept ✓', 'secondFactor'),
      await ring.encrypt('wellkept ✓', 'secondFactor'),
    ]
    expect(first).toMatch(/^enc:a:[\w+/]+=*$/)
    expect(isEncrypted(first)).toBe(true)
    expect(first).not.toBe(second)
    expect(await ring.decrypt(first)).toBe('wellkept ✓')
  })

  it('rotates: the first key seals, all of them open', async () => {
    const old = createKeyring(key('a', 1))
    const rotated = createKeyring(`${key('b', 2)}, ${key('a', 1)}`)
    expect(await rotated.decrypt(await old.encrypt('x', 'secondFactor'))).toBe('x')
    expect(await rotated.encrypt('x', 'secondFactor')).toMatch(/^enc:b:/)
    expect(rotated.digests('x')).toEqual([...createKeyring(key('b', 2)).digests('x'), ...old.digests('x')])
  })

  it('rejects text that was tampered with, is under another key, or is not encrypted', async () => {
    const ring = createKeyring(key('a', 1))
    const sealed = await ring.encrypt('wellkept', 'secondFactor')
    const at = sealed.length - 6
    const changed = sealed.slice(0, at) + (sealed[at] === 'A' ? 'B' : 'A') + sealed.slice(at + 1)
    for (const text of [changed, sealed.replace(':a:', ':b:'), 'enc:a:', 'wellkept', '']) {
      await expect(ring.decrypt(text)).rejects.toThrow()
    }
    await expect(createKeyring(key('a', 2)).decrypt(sealed)).rejects.toThrow()
  })

  it('does nothing without a key', async () => {
    for (const configured of [undefined, '']) {
      await expect(createKeyring(configured).encrypt('x', 'secondFactor')).rejects.toThrow(NoKey)
      expect(() => createKeyring(configured).digests('x')).toThrow(NoKey)
    }
  })
})
