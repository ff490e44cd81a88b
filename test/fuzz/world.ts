// What a tenant has that requests can name: `{{flag}}` in a request stands for the id of a flag, made when it is first asked for.
import type { MaterializingTenant } from '../support/endpoints/materialization'
import { type Browser, signIn } from '../support/session'
import { PASSING, THINGS } from './things'

export interface World {
  tenant: MaterializingTenant
  /** What a placeholder stands for. @throws Error when it stands for nothing */
  resolve(name: string): Promise<unknown>
  /** The browser that the tenant's user is signed in with. */
  browser(): Promise<Browser>
  /** Forgets things that a request used up: the next one creates them again. */
  forget(names: Iterable<string>): void
}

/** What can be named in requests. */
export const thingNames: readonly string[] = Object.keys(THINGS)

/**
 * The world of a tenant.
 * @param mark what names in it are made of
 */
export function worldOf(tenant: MaterializingTenant, mark: string): World {
  const known = new Map<string, Promise<unknown>>()
  const times = new Map<string, number>()
  let signedIn: Promise<Browser> | undefined
  let count = 0
  const browser = () => (signedIn ??= signIn(tenant))
  const the = (name: string): Promise<unknown> => {
    const make = THINGS[name]
    if (!make) throw new Error(`There is no {{${name}}}`)
    const found = PASSING.has(name) ? undefined : known.get(name)
    if (found) return found
    count += 1
    const before = times.get(name) ?? 0
    times.set(name, before + 1)
    const made = make({ tenant, mark, count, again: before === 0 ? '' : ` ${before + 1}`, the, browser })
    known.set(name, made)
    return made
  }
  return {
    tenant,
    async resolve(name) {
      try {
        return await the(name)
      } catch {
        // What it is made of is there no more: a variable may have been deleted since. Then all is created again.
        known.clear()
        signedIn = undefined
        return the(name)
      }
    },
    browser,
    forget(names) {
      for (const name of names) {
        known.delete(name)
        if (name === 'browser') signedIn = undefined
      }
    },
  }
}
