// Passwords: how they are stored, and which are good enough.
import { describe, expect, it, vi } from 'vitest'
import { hashPassword, verifyPassword } from '../../../src/account/password/hash'
import { checkStrength } from '../../../src/account/password/password-strength'
import type { ApiError } from '../../../src/errors'

const refusalOf = (password: string, known: string[] = []): string | null => {
  try {
    checkStrength(password, known)
    return null
  } catch (error) {
    return (error as ApiError).detail
  }
}

describe('checkStrength', () => {
  it.each(['', 'a', 'Xy7!abc', '1234567'])('rejects %j as too short', (password) => {
    expect(refusalOf(password)).toBe('This password is too short. It must contain at least 8 characters.')
  })

  it.each([
    'password',
    'password1',
    'P@ssw0rd',
    'qwertyuiop',
    'iloveyou',
    '12345678',
    'aaaaaaaaaaaa',
    'abcabcabc',
    'abcdefgh',
    '19901990',
    'drowssap',
  ])('finds %j too easy to guess', (password) => {
    expect(refusalOf(password)).not.toBe(null)
  })

  it.each([
    'correct horse battery',
    'wellkept-Tr0ub4dor',
    'kX9#mQ2$vL',
    'Пароль-из-слов',
    'x'.repeat(3) + 'Zq81-mmR',
  ])('takes %j', (password) => {
    expect(refusalOf(password)).toBe(null)
  })

  it('gives few bits to facts about the user', () => {
    const known = ['grace.hopper@example.com', 'Grace', 'Hopper']
    expect(refusalOf('gracehopper', known)).not.toBe(null)
    expect(refusalOf('grace.hopper@example.com', known)).not.toBe(null)
  })

  it('accepts up to 1,024 characters and 3,072 bytes', () => {
    expect(refusalOf('wellkept-Tr0ub4dor '.repeat(50))).toBe(null)
    expect(refusalOf('x'.repeat(1025))).toBe('Ensure this field has no more than 1024 characters.')
    expect(refusalOf('😀'.repeat(768))).toBe(null)
    expect(refusalOf('😀'.repeat(769))).toBe('Ensure this field has no more than 3072 bytes.')
  })

  it('compares parts of a few lengths only, for passwords of any length', () => {
    const slice = vi.spyOn(String.prototype, 'slice')
    refusalOf('abcdefgh'.repeat(128), [`${'a'.repeat(242)}@example.com`, 'g'.repeat(150)])
    const count = slice.mock.calls.length
    slice.mockRestore()
    expect(count).toBeLessThan(100_000)
  })
})

describe('hashPassword', () => {
  it('stores its parameters and a salt, and verifies the password', async () => {
    const [first, second] = [await hashPassword('wellkept'), await hashPassword('wellkept')]
    expect(first).toMatch(/^scrypt\$16384\$8\$1\$[\w+/=]+\$[\w+/=]+$/)
    expect(first).not.toBe(second)
    expect(await verifyPassword('wellkept', first)).toBe(true)
    expect(await verifyPassword('wellkepT', first)).toBe(false)
    expect(await verifyPassword('wellkept', 'pbkdf2$x')).toBe(false)
  })
})
