// Switches the current organization and project (docs/reference/accounts.md#profile).
import { eq, sql } from 'drizzle-orm'
import { users } from '../../../drizzle'
import { invalid } from '../../errors'
import { idIn } from '../../http/fields'
import type { Database } from '../../storage/database'
import type { ProfileBody } from './profile-body'

type SwitchRequest = Pick<ProfileBody, 'set_current_organization' | 'set_current_team'>

/** Selects the requested organization and project, if the user is a member. */
export const selectSwitchFacts = (db: Database, userId: number, request: SwitchRequest) => {
  const organization = request.set_current_organization?.trim().toLowerCase() ?? ''
  return db
    .select({
      organizationId: sql<string | null>`(SELECT m.organization_id FROM organization_memberships m
          WHERE m.user_id = users.id AND m.organization_id = ${organization})`.as(
        'requested_organization_id',
      ),
      firstProjectId: sql<
        number | null
      >`(SELECT min(p.id) FROM projects p WHERE p.organization_id = ${organization})`.as('first_project_id'),
      team: sql<string | null>`(SELECT json_object('id', p.id, 'organizationId', p.organization_id)
        FROM projects p JOIN organization_memberships m ON m.organization_id = p.organization_id
        WHERE m.user_id = users.id AND p.id = ${idIn(request.set_current_team?.trim() ?? '')})`.as(
        'requested_team',
      ),
    })
    .from(users)
    .where(eq(users.id, userId))
}

const noSuch = (attr: keyof SwitchRequest, id: string) =>
  invalid(attr, `Object with id=${id} does not exist.`, 'does_not_exist')

/**
 * Plans a switch. An organization switches to its first project, and a project to its organization. Returns null without a request.
 * @throws 400 unless the user is a member, and for a project of another organization than the requested one
 */
export function planTeamSwitch(
  request: SwitchRequest,
  found: Awaited<ReturnType<typeof selectSwitchFacts>>[number] | undefined,
) {
  const organization = request.set_current_organization ?? undefined
  const teamText = request.set_current_team ?? undefined
  if (organization !== undefined && !found?.organizationId) {
    throw noSuch('set_current_organization', organization)
  }
  if (teamText === undefined) {
    return organization === undefined
      ? null
      : { currentOrganizationId: found!.organizationId!, currentProjectId: found!.firstProjectId }
  }
  if (!found?.team) throw noSuch('set_current_team', teamText)
  const team = JSON.parse(found.team) as { id: number; organizationId: string }
  if (organization !== undefined && team.organizationId !== found.organizationId) {
    throw invalid(
      'set_current_team',
      'Team must belong to the same organization in set_current_organization.',
    )
  }
  return { currentOrganizationId: team.organizationId, currentProjectId: team.id }
}
