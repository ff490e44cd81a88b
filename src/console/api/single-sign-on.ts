// Defines what the single sign-on of an organization reads.
import { at, inOrganization } from './queries'
import type { components } from './schema'

export type SingleSignOn = components['schemas']['SingleSignOn']
export type SingleSignOnBody = components['schemas']['SingleSignOnBody']
export type GrantedLevel = SingleSignOn['default_level']

export const SSO = '/api/organizations/{organization_id}/sso/'

export const ssoQuery = (organizationId: string) => at(SSO, inOrganization(organizationId))
