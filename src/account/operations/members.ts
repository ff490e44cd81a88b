import * as z from 'zod'
import { type Actor, sessionOf, userOf } from '../../auth/actor'
import { pageQuery } from '../../http/fields'
import type { OperationDocs } from '../../http/docs/operation-docs'
import { ada } from '../../http/docs/examples'
import { operation } from '../../http/operation'
import { pageOf } from '../../http/pagination'
import { removeMember, updateMember, UpdateMemberBody } from '../organizations/member-write'
import { createResetLink, elsewhere, passwordUseless, ResetLink } from '../password/reset'
import { listMembers, MemberRecord } from '../organizations/member-record'
import { levelsText } from '../organizations/organization-record'

const path = '/api/organizations/:organization_id/members/'
const one = `${path}:user_uuid/`

/** The parameter is not named `uuid`, because MCP tools default that to `@me`, and a missing argument must not remove the caller. */
const params = z.object({ user_uuid: z.union([z.literal('@me'), z.guid().toLowerCase()]) })

/** The operation is closed to impersonating staff, who could make themselves an admin. */
const notWhileImpersonating = { impersonation: 'closed' } as const

const uuidIn = (segment: string, actor: Actor) => (segment === '@me' ? userOf(actor)!.uuid : segment)

export const listMembersOperation = operation({
  id: 'organizations_members_list',
  method: 'get',
  path,
  summary: 'List the members of an organization',
  description: 'Active users, in the order of joining.',
  scope: 'organization_member:read',
  query: z.object(pageQuery),
  responses: { 200: pageOf(MemberRecord) },
  handle: ({ deps, organization, query, url }) => listMembers(deps.db, organization.id, query, url),
})

export const updateMemberOperation = operation({
  id: 'organizations_members_partial_update',
  method: 'patch',
  path: one,
  summary: 'Change the level of a member',
  description:
    'For admins and owners, up to their own level. An organization keeps an owner. Creating or changing an admin or owner requires a session ' +
    'that signed in within the last two hours. Deletes pending invites of the member above the new level.',
  scope: 'organization_member:write',
  ...notWhileImpersonating,
  params,
  body: UpdateMemberBody,
  responses: { 200: MemberRecord },
  handle: ({ deps, actor, organization, params: { user_uuid: uuid }, body: { level } }) =>
    updateMember(deps, actor, organization, uuidIn(uuid, actor), level),
})

const memberParameter = () => ({
  user_uuid: { description: 'Uuid of the user, or `@me` for yourself.', example: ada.uuid },
})

export const updateMemberDocs = (): OperationDocs => ({
  parameters: memberParameter(),
  body: {
    description: 'The new level.',
    fields: {
      level: `${levelsText()}; at most your own level.`,
    },
    example: { level: 8 },
  },
  response: { example: { level: 8, updated_at: '2026-04-01T09:15:00Z' } },
  sample: { as: 'session' },
})

export const removeMemberOperation = operation({
  id: 'organizations_members_destroy',
  method: 'delete',
  path: one,
  summary: 'Remove a member from an organization',
  description:
    'Everybody can leave (`@me`); admins and owners remove members up to their own level. The last owner cannot be ' +
    'removed. Removing an admin or owner, also yourself, requires a sign-in within the last two hours. Keys of the member lose access, ' +
    'and invites of the member are deleted.',
  scope: 'organization_member:write',
  // Viewers may leave the organization.
  forViewers: true,
  ...notWhileImpersonating,
  params,
  responses: { 204: 'empty' },
  handle: ({ deps, actor, organization, params: { user_uuid: uuid } }) =>
    removeMember(deps, actor, organization, uuidIn(uuid, actor)),
})

export const removeMemberDocs = (): OperationDocs => ({ parameters: memberParameter() })

export const resetMemberPasswordOperation = operation({
  id: 'organizations_members_password_reset_create',
  method: 'post',
  path: `${one}password_reset/`,
  summary: 'Make a link that sets a new password of a member',
  description:
    'For admins and owners, up to their own level, if the same is true in every other organization of the member; not for staff. The link works ' +
    'once, for an hour, and replaces an earlier one; using it ends all login sessions of the member. Pass it on: the service sends no email.',
  scope: null,
  recentAuth: true,
  ...notWhileImpersonating,
  params: z.object({ user_uuid: z.guid().toLowerCase() }),
  responses: { 201: ResetLink },
  handle: ({ deps, actor, organization, params: { user_uuid: uuid }, url }) =>
    createResetLink(deps, sessionOf(actor), organization, uuid, url.origin),
})

export const resetMemberPasswordDocs = (): OperationDocs => ({
  parameters: { user_uuid: { description: 'Uuid of the user.', example: ada.uuid } },
  response: {
    description: 'A link that sets a new password.',
    fields: { url: 'Address of the page, a secret.', expires_at: 'Until when it works. ISO 8601, UTC.' },
    example: {
      url: 'https://halyard.example.com/reset/4mJ2xqQ0bHhS6Tq3c1nYw8uZrKpV5dXeGfLaBiMoNtC',
      expires_at: '2026-04-01T10:15:00Z',
    },
  },
  errors: {
    400: { 'The member has to use single sign-on': passwordUseless() },
    403: { 'The user belongs to another organization': elsewhere() },
  },
  sample: { as: 'session' },
})
