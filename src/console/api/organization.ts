// Defines what the settings of an organization read.
import { at, inOrganization, wholeListAt } from './queries'

export const organizationQuery = (organizationId: string) =>
  at('/api/organizations/{organization_id}/', inOrganization(organizationId))

export const invitesQuery = (organizationId: string) =>
  wholeListAt('/api/organizations/{organization_id}/invites/', inOrganization(organizationId))
