import * as z from 'zod'
import { type Actor, userOf } from '../../auth/actor'
import { ErrorBody } from '../../http/error-body'
import { pageQuery } from '../../http/fields'
import { operation } from '../../http/operation'
import { page, pageOf } from '../../http/pagination'
import { removeMember, updateMember, UpdateMemberBody } from '../organizations/member-write'
import { MemberRecord, memberRecordFrom, selectMemberPage } from '../organizations/members'

const path = '/api/organizations/:organization_id/members/'
const one = `${path}:user_uuid/`

/** Not `uuid`: MCP tools default that parameter to `@me`, and a missing argument must not remove the caller from the organization. */
const params = z.object({ user_uuid: z.union([z.literal('@me'), z.guid().toLowerCase()]) })

/** Staff who impersonate somebody could make themselves an admin. */
const notWhileImpersonating = { impersonation: 'closed' } as const

const uuidIn = (segment: string, actor: Actor) => (segment === '@me' ? userOf(actor)!.uuid : segment)

export const listMembersOperation = operation({
  id: 'organizations_members_list',
  method: 'get',
  path,
  summary: 'List the members of an organization',
  description: 'Active users, in the order in which they joined.',
  scope: 'organization_member:read',
  query: z.object(pageQuery),
  responses: { 200: pageOf(MemberRecord), 404: ErrorBody },
  async handle({ deps, organization, query, url }) {
    const [counts, rows] = await deps.db.batch(selectMemberPage(deps.db, organization.id, query))
    return page(url, query, counts[0]?.total ?? 0, rows.map(memberRecordFrom))
  },
})

export const updateMemberOperation = operation({
  id: 'organizations_members_partial_update',
  method: 'patch',
  path: one,
  summary: 'Change the level of a member',
  description:
    'For admins and owners. Nobody changes a member above their own level or grants more than their own level, and an organization keeps ' +
    'an owner. Making or changing an admin or owner needs a session that signed in within the last two hours. Pending invites that the ' +
    'member created above the new level are deleted.',
  scope: 'organization_member:write',
  ...notWhileImpersonating,
  params,
  body: UpdateMemberBody,
  responses: { 200: MemberRecord, 400: ErrorBody, 404: ErrorBody },
  handle: ({ deps, actor, organization, params: { user_uuid: uuid }, body: { level } }) =>
    updateMember(deps, actor, organization, uuidIn(uuid, actor), level),
})

export const removeMemberOperation = operation({
  id: 'organizations_members_destroy',
  method: 'delete',
  path: one,
  summary: 'Remove a member from an organization',
  description:
    'Every member may remove themselves (`@me`); removing others is for admins and owners, up to their own level. The last owner cannot be ' +
    'removed. Removing another admin or owner needs a session that signed in within the last two hours. Keys of the member stop working ' +
    'for the organization, and invites that the member created are deleted.',
  scope: 'organization_member:write',
  ...notWhileImpersonating,
  params,
  responses: { 204: 'empty', 400: ErrorBody, 404: ErrorBody },
  handle: ({ deps, actor, organization, params: { user_uuid: uuid } }) =>
    removeMember(deps, actor, organization, uuidIn(uuid, actor)),
})
