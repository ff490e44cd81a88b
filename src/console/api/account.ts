// Reads and changes the user's own account: second factor, sessions and keys.
import { queryOptions } from '@tanstack/react-query'
import { pendingInterruption } from './client'
import { at } from './queries'
import type { components } from './schema'

export type LoginSession = components['schemas']['LoginSession']
export type PersonalApiKey = Pick<
  components['schemas']['PersonalApiKey'],
  'id' | 'label' | 'mask_value' | 'scopes' | 'last_used_at'
>

/** The `path` of requests about the user who is signed in. */
export const ME = { path: { uuid: '@me' } } as const

/** Whether the user has to set up a second factor before anything else. */
export const isLockedQuery = queryOptions({
  queryKey: ['account', 'is locked'],
  queryFn: async () => (await pendingInterruption()) === 'two-factor',
})

export const twoFactorQuery = at('/api/users/{uuid}/two_factor_status/', ME)

export const sessionsQuery = at('/api/users/{uuid}/login_sessions/', ME)

export const keysQuery = at('/api/personal_api_keys/', {})
