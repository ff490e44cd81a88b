import * as z from 'zod'
import { pageQuery } from '../../http/fields'
import type { OperationDocs } from '../../http/docs/operation-docs'
import { operation } from '../../http/operation'
import { pageOf } from '../../http/pagination'
import { DelegateBody, delegateOnboarding } from '../onboarding/delegate'
import { levelsText } from '../organizations/organization-record'
import { createInvite, CreateInviteBody } from '../invites/create'
import { deleteInvite } from '../invites/delete'
import { listInvites, inviteExample, inviteParameter, InviteRecord } from '../invites/invite-record'

const path = '/api/organizations/:organization_id/invites/'

/** The operation is closed to impersonating staff, who could invite themselves. */
const notWhileImpersonating = { impersonation: 'closed' } as const

export const listInvitesOperation = operation({
  id: 'organizations_invites_list',
  method: 'get',
  path,
  summary: 'List the open invites of an organization',
  description:
    'Newest first, including expired ones, up to the level to which you can invite. The id of an invite suffices to accept it: keys see ' +
    'the ids of invites for members only, with `organization_member:write`, else random UUIDs.',
  scope: 'organization_member:read',
  query: z.object(pageQuery),
  responses: { 200: pageOf(InviteRecord) },
  handle: ({ deps, actor, organization, query, url }) =>
    listInvites(deps, actor, organization.id, query, url),
})

const targetText = 'Email address to invite, at most 254 characters. Rejected for members.'
const messageText = 'Message to the person, at most 1,000 characters. Null for none.'

export const createInviteOperation = operation({
  id: 'organizations_invites_create',
  method: 'post',
  path,
  summary: 'Invite a person to an organization',
  description:
    'The invite is valid for three days. The service sends no email: pass the id on to the person, who accepts it with ' +
    '`POST /api/signup/:id/`. Inviting an admin or owner (level 8 or 15) requires a session that signed in within the last two hours.',
  scope: 'organization_member:write',
  ...notWhileImpersonating,
  body: CreateInviteBody,
  responses: { 201: InviteRecord },
  handle: ({ deps, actor, organization, body }) => createInvite(deps, actor, organization, body),
})

export const createInviteDocs = (): OperationDocs => ({
  body: {
    description: 'Who to invite, and to which level.',
    fields: {
      target_email: targetText,
      first_name: 'Given name of the person, at most 30 characters, without links. Default empty.',
      level: `${levelsText()}; default 1, at most your own level. 8 and 15 require a sign-in within the last two hours.`,
      message: messageText,
    },
    example: {
      target_email: inviteExample().target_email,
      first_name: inviteExample().first_name,
      level: 1,
      message: inviteExample().message,
    },
  },
  sample: { into: { target_email: 'ada-$N@example.com' } },
})

export const delegateOperation = operation({
  id: 'organizations_invites_delegate_create',
  method: 'post',
  path: `${path}delegate/`,
  summary: 'Delegate onboarding',
  description:
    'Invites a person and marks your onboarding as delegated until the invite ends. While an earlier one to this ' +
    'organization is pending, returns it and changes nothing. If you are an admin or owner, the invite is for an admin, which ' +
    'requires a sign-in within the last two hours.',
  scope: 'organization_member:write',
  ...notWhileImpersonating,
  throttles: [{ name: 'onboarding_delegation', calls: 10, seconds: 3_600 }],
  body: DelegateBody,
  responses: { 201: InviteRecord },
  handle: ({ deps, actor, organization, body }) => delegateOnboarding(deps, actor, organization, body),
})

export const delegateDocs = (): OperationDocs => ({
  body: {
    description: 'Who to delegate onboarding to.',
    fields: {
      target_email: targetText,
      message: messageText,
      step_at_delegation: 'The onboarding step, at most 64 characters. Checked, not stored.',
    },
    example: {
      target_email: inviteExample().target_email,
      message: 'Could you set this up?',
      step_at_delegation: 'install',
    },
  },
  response: {
    example: { first_name: '', level: 8, message: 'Could you set this up?' },
  },
  sample: { as: 'session', into: { target_email: 'ada-$N@example.com' } },
})

export const deleteInviteOperation = operation({
  id: 'organizations_invites_destroy',
  method: 'delete',
  path: `${path}:invite_id/`,
  summary: 'Delete an invite',
  description: 'Ends the delegation of onboarding by this invite.',
  scope: 'organization_member:write',
  ...notWhileImpersonating,
  params: z.object({ invite_id: z.guid().toLowerCase() }),
  responses: { 204: 'empty' },
  handle: ({ deps, actor, organization, params }) =>
    deleteInvite(deps, actor, organization, params.invite_id),
})

export const deleteInviteDocs = (): OperationDocs => ({ parameters: inviteParameter() })
