// Choosing the organization and project to work in (reference §1.2 `set_current_organization`, `set_current_team`).
import { eq, sql } from 'drizzle-orm'
import { users } from '../../../drizzle'
import { invalid } from '../../errors'
import { idIn } from '../../http/fields'
import type { Database } from '../../storage/database'
import type { ProfileBody } from './profile-body'

type Wish = Pick<ProfileBody, 'set_current_organization' | 'set_current_team'>

/** The columns that hold the choice. */
export interface Place {
  currentOrganizationId: string
  currentProjectId: number | null
}

/** The statement that reads what is wished for, as far as the user is a member there. */
export const selectSwitchFacts = (db: Database, userId: number, wish: Wish) => {
  const organization = wish.set_current_organization?.trim().toLowerCase() ?? ''
  return db
    .select({
      organizationId: sql<string | null>`(SELECT m.organization_id FROM organization_memberships m
          WHERE m.user_id = users.id AND m.organization_id = ${organization})`.as('wanted_organization_id'),
      firstProjectId: sql<
        number | null
      >`(SELECT min(p.id) FROM projects p WHERE p.organization_id = ${organization})`.as('first_project_id'),
      team: sql<string | null>`(SELECT json_object('id', p.id, 'organizationId', p.organization_id)
        FROM projects p JOIN organization_memberships m ON m.organization_id = p.organization_id
        WHERE m.user_id = users.id AND p.id = ${idIn(wish.set_current_team?.trim() ?? '')})`.as(
        'wanted_team',
      ),
    })
    .from(users)
    .where(eq(users.id, userId))
}

const noSuch = (attr: keyof Wish, id: string) =>
  invalid(attr, `Object with id=${id} does not exist.`, 'does_not_exist')

/**
 * What a wish comes to: an organization brings its first project along, a project its organization. Null when nothing is wished for.
 * @throws 400 for what the user is no member of, and for a project of another organization than the one that is wished for too.
 */
export function planTeamSwitch(
  wish: Wish,
  found: Awaited<ReturnType<typeof selectSwitchFacts>>[number] | undefined,
): Place | null {
  const { set_current_organization: organization, set_current_team: teamText } = wish
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
