// Defines the state of the deployment, which staff may read.
import { queryOptions } from '@tanstack/react-query'
import { reading } from './client'
import type { components } from './schema'

export type InstanceStatus = components['schemas']['InstanceStatus']

const REFRESH_MS = 30_000

export const instanceStatusQuery = queryOptions({
  queryKey: ['instance status'],
  queryFn: reading('/api/instance_status/', {}),
  refetchInterval: REFRESH_MS,
})
