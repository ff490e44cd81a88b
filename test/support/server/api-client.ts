// The client of commands, which calls the service of a test.
import { type Client, createClient } from '../../../src/import/client'
import { ORIGIN } from '../harness'
import type { Tenant } from '../tenant'

/** @param onCall called before each call; what it throws is the connection's error */
export const clientOf = (tenant: Tenant, onCall: (method: string, path: string) => void = () => {}): Client =>
  createClient({
    url: ORIGIN,
    key: tenant.key,
    headers: { Authorization: `Bearer ${tenant.key}` },
    say: () => {},
    wait: async () => {},
    async send(method, path, body, headers) {
      onCall(method, path)
      const response = await tenant.send(method, path, { ...(body === undefined ? {} : { body }), headers })
      return {
        status: response.status,
        text: JSON.stringify(response.body),
        retryAfter: response.headers.get('Retry-After'),
        location: response.headers.get('Location'),
      }
    },
  })
