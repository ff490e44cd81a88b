import { sql } from 'drizzle-orm'
import * as z from 'zod'
import { organizationInvites } from '../../../drizzle'
import { userOf } from '../../auth/actor'
import { ErrorBody } from '../../http/error-body'
import { pageQuery } from '../../http/fields'
import { operation } from '../../http/operation'
import { page, pageOf } from '../../http/pagination'
import { DelegateBody, delegateOnboarding } from '../onboarding/delegate'
import { createInvite, CreateInviteBody } from '../organizations/invite-create'
import { deleteInvite } from '../organizations/invite-delete'
import { mayReadInviteId, standInFor } from '../organizations/invite-id'
import { inviteRecordFrom, InviteRecord, invitesWithin, selectInvites } from '../organizations/invite-record'

const path = '/api/organizations/:organization_id/invites/'

/** Whoever is invited comes in: staff who look as somebody else could let themselves in. */
const notAsSomebodyElse = { impersonation: 'closed' } as const

export const listInvitesOperation = operation({
  id: 'organizations_invites_list',
  method: 'get',
  path,
  summary: 'List the open invites of an organization',
  description:
    'Newest first, including expired ones. Lists only invites that you could have created: the id of an invite is enough to accept it. ' +
    'Keys see the ids of invites for members only, and only with `organization_member:write`. Other ids are replaced by UUIDs that nobody ' +
    'can accept.',
  scope: 'organization_member:read',
  query: z.object(pageQuery),
  responses: { 200: pageOf(InviteRecord), 404: ErrorBody },
  async handle({ deps, actor, organization, query, url }) {
    const where = invitesWithin(organization.id, userOf(actor)!.id)
    const [counts, rows] = await deps.db.batch([
      deps.db
        .select({ total: sql<number>`count(*)`.as('total') })
        .from(organizationInvites)
        .where(where),
      selectInvites(deps.db, where).limit(query.limit).offset(query.offset),
    ])
    const now = deps.clock.now()
    const records = rows.map((row) => inviteRecordFrom(row, now))
    for (const record of records) {
      if (!mayReadInviteId(actor, record.level)) record.id = standInFor(record.id)
    }
    return page(url, query, counts[0]?.total ?? 0, records)
  },
})

export const createInviteOperation = operation({
  id: 'organizations_invites_create',
  method: 'post',
  path,
  summary: 'Invite somebody to an organization',
  description:
    'The invite is valid for three days. The service sends no mail: pass the id on to the person, who accepts it with ' +
    '`POST /api/signup/:id/`. Inviting an admin or owner (level 8 or 15) needs a session that signed in within the last two hours; ' +
    'personal API keys can invite members only.',
  scope: 'organization_member:write',
  ...notAsSomebodyElse,
  body: CreateInviteBody,
  responses: { 201: InviteRecord, 400: ErrorBody, 404: ErrorBody },
  handle: ({ deps, actor, organization, body }) => createInvite(deps, actor, organization, body),
})

export const delegateOperation = operation({
  id: 'organizations_invites_delegate_create',
  method: 'post',
  path: `${path}delegate/`,
  summary: 'Ask somebody else to do the setting up',
  description:
    'Invites them, and marks your onboarding as delegated until they accept or the invite is deleted. While an earlier delegation to ' +
    'this organization is pending, the answer is its invite and nothing changes. Where you are an admin or owner the invite is for an ' +
    'admin, which needs a session that signed in within the last two hours.',
  scope: 'organization_member:write',
  ...notAsSomebodyElse,
  throttles: [{ name: 'onboarding_delegation', calls: 10, seconds: 3_600 }],
  body: DelegateBody,
  responses: { 201: InviteRecord, 400: ErrorBody, 404: ErrorBody },
  handle: ({ deps, actor, organization, body }) => delegateOnboarding(deps, actor, organization, body),
})

export const deleteInviteOperation = operation({
  id: 'organizations_invites_destroy',
  method: 'delete',
  path: `${path}:invite_id/`,
  summary: 'Take an invite back',
  description: 'Onboarding that was delegated by it goes on.',
  scope: 'organization_member:write',
  ...notAsSomebodyElse,
  params: z.object({ invite_id: z.guid().toLowerCase() }),
  responses: { 204: 'empty', 404: ErrorBody },
  handle: ({ deps, actor, organization, params }) =>
    deleteInvite(deps, userOf(actor)!, organization, params.invite_id),
})
