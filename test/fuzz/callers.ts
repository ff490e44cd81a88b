// Who sends requests: the owner of a tenant's organization, and everybody who may do less.
import type { MaterializingTenant } from '../support/endpoints/materialization'
import { cookiesOf, signIn } from '../support/session'
import { createTenant, type Tenant } from '../support/tenant'
import type { Caller } from './requests/request'
import type { World } from './world'

export interface Credentials {
  headers: Record<string, string>
  query?: string
}

/** The headers of each caller, made when they are first needed. */
export function callersOf(
  world: World,
  tenant: MaterializingTenant,
): (caller: Caller) => Promise<Credentials> {
  const once = <T>(make: () => Promise<T>) => {
    let made: Promise<T> | undefined
    return () => (made ??= make())
  }
  const bearer = (key: string): Credentials => ({ headers: { Authorization: `Bearer ${key}` } })
  const stranger = once((): Promise<Tenant> => createTenant({ harness: tenant }))
  const narrow = once(() => tenant.withKey({ scopes: ['user:read'], label: 'narrow' }))
  const session = async () => (await world.browser()).headers

  return async (caller) => {
    switch (caller) {
      case 'key':
        return bearer(tenant.key)
      case 'nobody':
        return { headers: {} }
      case 'narrow key':
        return bearer((await narrow()).key)
      case 'key of a member':
        return bearer(((await world.resolve('member')) as Tenant).key)
      case 'key of a stranger':
        return bearer((await stranger()).key)
      case 'unknown key':
        return bearer('phx_unknown')
      case 'key in the query':
        return { headers: {}, query: `personal_api_key=${tenant.key}` }
      case 'session':
        return { headers: await session() }
      case 'session from another page':
        return { headers: { ...(await session()), Origin: 'https://elsewhere.example' } }
      case 'session without its CSRF token': {
        const { 'X-CSRFToken': _token, ...rest } = await session()
        return { headers: rest }
      }
      case 'session of long ago':
        return { headers: (await signIn(tenant, { authenticatedAt: '2026-03-09T00:00:00.000000Z' })).headers }
      case 'unknown session':
        return { headers: cookiesOf('unknown') }
      case 'project token':
        return bearer(tenant.projectToken)
      case 'challenge':
        return { headers: { Cookie: `login_challenge=${String(await world.resolve('challenge'))}` } }
    }
  }
}
