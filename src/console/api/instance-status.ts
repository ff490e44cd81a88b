// Defines the state of the deployment, which staff may read.
import { queryOptions } from '@tanstack/react-query'
import { at } from './queries'
import type { components } from './schema'

export type InstanceStatus = components['schemas']['InstanceStatus']

const REFRESH_MS = 30_000

export const instanceStatusQuery = queryOptions({
  ...at('/api/instance_status/', {}),
  refetchInterval: REFRESH_MS,
})
