// Defines what the settings of an organization read.
import { queryOptions } from '@tanstack/react-query'
import { read, reading } from './client'
import { wholeList } from './queries'

export const organizationQuery = (organizationId: string) =>
  queryOptions({
    queryKey: ['organization', organizationId],
    queryFn: reading('/api/organizations/{organization_id}/', { path: { organization_id: organizationId } }),
  })

export const invitesQuery = (organizationId: string) =>
  queryOptions({
    queryKey: ['organization', organizationId, 'invites'],
    queryFn: ({ signal }) =>
      wholeList((query) =>
        read(
          '/api/organizations/{organization_id}/invites/',
          { path: { organization_id: organizationId }, query },
          signal,
        ),
      ),
  })
