// What the single sign-on of an organization reads and changes.
import { queryOptions } from '@tanstack/react-query'
import { client, dataOf, reading } from './client'
import type { components } from './schema'

export type SingleSignOn = components['schemas']['SingleSignOn']
export type SingleSignOnBody = components['schemas']['SingleSignOnBody']
export type GrantedLevel = SingleSignOn['default_level']

const inOrganization = (id: string) => ({ params: { path: { organization_id: id } } })

export const ssoQuery = (organizationId: string) =>
  queryOptions({
    queryKey: ['organization', organizationId, 'sso'],
    queryFn: reading('/api/organizations/{organization_id}/sso/', inOrganization(organizationId).params),
  })

export const putSso = (id: string, body: SingleSignOnBody): Promise<SingleSignOn> =>
  dataOf(client.PUT('/api/organizations/{organization_id}/sso/', { ...inOrganization(id), body }))

export const deleteSso = async (id: string): Promise<void> => {
  await client.DELETE('/api/organizations/{organization_id}/sso/', inOrganization(id))
}

export const verifyDomain = (id: string, body: { domain: string; confirm: boolean }): Promise<SingleSignOn> =>
  dataOf(
    client.POST('/api/organizations/{organization_id}/sso/verify_domain/', { ...inOrganization(id), body }),
  )

export const testSso = (id: string) =>
  dataOf(client.POST('/api/organizations/{organization_id}/sso/test/', inOrganization(id)))
