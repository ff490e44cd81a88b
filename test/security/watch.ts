// A harness that looks at every response and log line on its way through: what must hold whatever was asked.
import { expect } from 'vitest'
import { type TestResponse, createHarness, type Harness } from '../support/harness'
import type { Level } from '../../src/auth/actor'
import { issuedTokens } from '../support/session'
import { createTenant, type Tenant } from '../support/tenant'

export interface Watch {
  harness: Harness
  /** A tenant whose key must never come back. */
  tenant(level?: Level): Promise<Tenant>
  /** Another key of a tenant's user, watched too. */
  holder(tenant: Tenant, key: Parameters<Tenant['withKey']>[0]): Promise<Tenant>
  /** Watches the key of a tenant who was made before the last check. */
  remember(tenant: Tenant): void
  /** Fails if anything that was said since the last check gives a key away. */
  check(): void
}

/** Starts watching. Call `check` at the end of each test. */
export function watch(bindings: Partial<Env> = {}): Watch {
  const harness = createHarness({ bindings })
  let responses: TestResponse[] = []
  const keys = new Set<string>()
  const watched: Harness = {
    ...harness,
    async send(...request) {
      const response = await harness.send(...request)
      responses.push(response)
      return response
    },
  }
  const remember = (tenant: Tenant) => {
    keys.add(tenant.key)
    return tenant
  }
  return {
    harness: watched,
    tenant: async (level = 1) => remember(await createTenant({ level, harness: watched })),
    holder: async (tenant, key) => remember(await tenant.withKey(key)),
    remember,
    check() {
      for (const { headers } of responses) {
        expect(headers.get('X-Request-Id')).toMatch(/^[0-9a-f-]{36}$/)
        expect(headers.get('Cache-Control')).toBe('private, no-store')
        expect(headers.get('Content-Security-Policy')).toBe("default-src 'none'")
      }
      const said = JSON.stringify([
        responses.map(({ body, headers }) => [body, Object.fromEntries(headers)]),
        harness.lines,
      ])
      const secrets = [...[...keys].map((key) => key.slice('phx_'.length)), ...issuedTokens]
      expect(secrets.filter((secret) => said.includes(secret))).toEqual([])
      responses = []
      keys.clear()
      harness.lines.length = 0
    },
  }
}
