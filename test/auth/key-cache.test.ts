// The cache of authenticated keys by itself. test/hostile/revocation.test.ts has the writes that make it forget.
import { describe, expect, it } from 'vitest'
import type { AuthenticatedKey } from '../../src/auth/api-keys'
import { createKeyCache, type KeyCacheMatch } from '../../src/auth/key-cache'

const NOW = new Date('2026-03-10T12:00:00Z')
const after = (ms: number) => new Date(NOW.getTime() + ms)

const entry = (keyId: string, userId: number, organizationId: string | null): AuthenticatedKey => ({
  actor: {
    kind: 'apiKey',
    keyId,
    user: { id: userId, uuid: '', email: '', firstName: '', isStaff: false },
    scopes: ['*'],
    scopedTeams: [],
    scopedOrganizations: [],
  },
  access: organizationId
    ? { organizationId, organizationName: '', keysAllowed: true, membershipLevel: 1, project: null }
    : null,
  lastUsedAt: null,
})

const ENTRIES: Record<string, AuthenticatedKey> = {
  'key 1, organization A': entry('1', 10, 'A'),
  'key 1, organization B': entry('1', 10, 'B'),
  'key 1, no organization': entry('1', 10, null),
  'key 2 of the same user, A': entry('2', 10, 'A'),
  'key 3 of another user, A': entry('3', 11, 'A'),
}

function filled() {
  const cache = createKeyCache()
  for (const [id, each] of Object.entries(ENTRIES)) cache.set(id, each, NOW, cache.revision)
  return cache
}

describe('forget', () => {
  it.each<[KeyCacheMatch, string[]]>([
    [{ keyId: '1' }, ['key 2 of the same user, A', 'key 3 of another user, A']],
    [{ userId: 10 }, ['key 3 of another user, A']],
    [{ organizationId: 'A' }, ['key 1, organization B', 'key 1, no organization']],
    [
      { userId: 10, organizationId: 'A' },
      ['key 1, organization B', 'key 1, no organization', 'key 3 of another user, A'],
    ],
    [{ keyId: '9' }, Object.keys(ENTRIES)],
  ])('%j drops the matching entries only', (match, left) => {
    const cache = filled()
    cache.forget(match)
    expect(Object.keys(ENTRIES).filter((id) => cache.get(id, NOW))).toEqual(left)
  })

  it('drops a lookup that began before it and ended after it', () => {
    const cache = createKeyCache()
    const { revision } = cache
    cache.forget({ keyId: '1' })
    cache.set('late', entry('1', 10, 'A'), NOW, revision)
    expect(cache.get('late', NOW)).toBe(null)
  })
})

describe('forgetAfter', () => {
  it('drops entries once the write is done, and returns its result', async () => {
    const cache = filled()
    const written = await cache.forgetAfter({ userId: 10 }, () => {
      expect(cache.get('key 1, organization A', NOW)).not.toBe(null)
      return Promise.resolve('written')
    })
    expect(written).toBe('written')
    expect(cache.get('key 1, organization A', NOW)).toBe(null)
  })

  it('drops entries when the write fails, because it may have been committed', async () => {
    const cache = filled()
    const failing = cache.forgetAfter({ userId: 10 }, () => Promise.reject(new Error('deadline')))
    await expect(failing).rejects.toThrow('deadline')
    expect(cache.get('key 1, organization A', NOW)).toBe(null)
  })
})

describe('an entry', () => {
  it('expires 30 seconds after its lookup', () => {
    const cache = filled()
    expect(cache.get('key 1, organization A', after(29_999))).not.toBe(null)
    expect(cache.get('key 1, organization A', after(30_000))).toBe(null)
  })
})
