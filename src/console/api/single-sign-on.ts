// Defines what the single sign-on of an organization reads and changes.
import { queryOptions } from '@tanstack/react-query'
import { client, dataOf, reading, post } from './client'
import type { components } from './schema'

export type SingleSignOn = components['schemas']['SingleSignOn']
export type SingleSignOnBody = components['schemas']['SingleSignOnBody']
export type GrantedLevel = SingleSignOn['default_level']

const inOrganization = (id: string) => ({ path: { organization_id: id } })

export const ssoQuery = (organizationId: string) =>
  queryOptions({
    queryKey: ['organization', organizationId, 'sso'],
    queryFn: reading('/api/organizations/{organization_id}/sso/', inOrganization(organizationId)),
  })

export const putSso = (id: string, body: SingleSignOnBody): Promise<SingleSignOn> =>
  dataOf(client.PUT('/api/organizations/{organization_id}/sso/', { params: inOrganization(id), body }))

export const deleteSso = async (id: string): Promise<void> => {
  await client.DELETE('/api/organizations/{organization_id}/sso/', { params: inOrganization(id) })
}

export const verifyDomain = (id: string, body: { domain: string; confirm: boolean }): Promise<SingleSignOn> =>
  post('/api/organizations/{organization_id}/sso/verify_domain/', inOrganization(id), body)

export const testSso = (id: string) =>
  post('/api/organizations/{organization_id}/sso/test/', inOrganization(id))
