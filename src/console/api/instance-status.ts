// Defines the state of the deployment, which staff may read.
import { queryOptions } from '@tanstack/react-query'
import { Problem } from './problem'
import { at } from './queries'
import type { components } from './schema'

export type InstanceStatus = components['schemas']['InstanceStatus']

const REFRESH_MS = 30_000

export const instanceStatusQuery = queryOptions({
  ...at('/api/instance_status/', {}),
  // It is not asked again for a user who may not read it.
  refetchInterval: ({ state: { error } }) =>
    error instanceof Problem && error.status === 403 ? false : REFRESH_MS,
})
