// What a test sends its requests at: a tenant who has something that the operation is on, for as many tests as leave it as it is.
import { expect } from 'vitest'
import type { Operation } from '../../src/http/operation'
import type { Tenant } from '../support/tenant'
import { browserOf, type Params, paramsFor } from './call'
import { stateOf } from './state'
import type { Watch } from './watch'

export interface Target {
  tenant: Tenant
  params: Params
}

export interface Refusing extends Target {
  /** Fails if anything that is stored of the tenant is not as it was. */
  expectUnchanged(): Promise<void>
}

/** Made when the first test asks for it; from then on the same for all. */
function once<T extends Target>(watched: Watch, make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return async () => {
    const target = await (made ??= make())
    watched.remember(target.tenant)
    return target
  }
}

async function targetFor(watched: Watch, operation: Operation): Promise<Target> {
  const tenant = await watched.tenant()
  return { tenant, params: await paramsFor(operation, tenant) }
}

/** For calls that do what the operation does: another each time, unless that is to read. */
export const targetOf = (watched: Watch, operation: Operation): (() => Promise<Target>) =>
  operation.method === 'get'
    ? once(watched, () => targetFor(watched, operation))
    : () => targetFor(watched, operation)

/** Files may share this module: each has its own. */
const refusing = new WeakMap<Watch, Map<Operation, () => Promise<Target>>>()

/** For calls that are rejected: one for all of a file's tests of the operation. Its user is signed in, whoever is going to ask. */
export function refusingTargetOf(watched: Watch, operation: Operation): () => Promise<Refusing> {
  const make = async () => {
    const target = await targetFor(watched, operation)
    await browserOf(target.tenant)
    return target
  }
  const ofFile = refusing.get(watched) ?? new Map<Operation, () => Promise<Target>>()
  refusing.set(watched, ofFile)
  const shared = ofFile.get(operation) ?? once(watched, make)
  ofFile.set(operation, shared)
  return async () => {
    const target = await shared()
    const before = await stateOf(target.tenant)
    return {
      ...target,
      expectUnchanged: async () => expect(await stateOf(target.tenant)).toEqual(before),
    }
  }
}

/** An owner of another organization, who wants to do what they may not. One for all tests. */
export function strangerOf(watched: Watch): () => Promise<Tenant> {
  const target = once(watched, async () => ({ tenant: await watched.tenant(15), params: {} }))
  return async () => (await target()).tenant
}
