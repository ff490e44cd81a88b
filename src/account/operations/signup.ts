import * as z from 'zod'
import { invalid } from '../../errors'
import { ErrorBody } from '../../http/error-body'
import type { OperationDocs } from '../../http/docs/operation-docs'
import { organization } from '../../http/docs/examples'
import { operation } from '../../http/operation'
import { passwordText } from '../password/password-length'
import { passwordErrors } from '../password/hash-limit'
import { graceExample, inviteExample, inviteParameter } from '../invites/invite-record'
import { acceptInvite, getValidInvite, SignUpBody, signUpByInvite } from '../invites/accept'
import { optionalSession } from '../sign-in/optional-session'
import { getUserSummary, UserSummary } from '../../http/user-summary'

const path = '/api/signup/:invite_id/'
const params = z.object({ invite_id: z.guid().toLowerCase() })

export const previewInviteOperation = operation({
  id: 'signup_invite_retrieve',
  method: 'get',
  path,
  summary: 'Preview an invite',
  scope: null,
  access: 'public',
  params,
  responses: {
    200: z.object({
      id: z.uuid(),
      target_email: z.string(),
      first_name: z.string(),
      organization_name: z.string(),
    }),
    400: ErrorBody,
    404: ErrorBody,
  },
  async handle({ deps, params: { invite_id: id } }) {
    const invite = await getValidInvite(deps.db, id, deps.clock.now())
    return {
      id,
      target_email: invite.targetEmail,
      first_name: invite.firstName,
      organization_name: invite.organizationName,
    }
  },
})

export const previewInviteDocs = (): OperationDocs => ({
  parameters: inviteParameter(),
  response: {
    description: 'The invite, as the invited person sees it.',
    fields: {
      id: 'Id of the invite.',
      target_email: 'Invited email address, the only one that can accept.',
      first_name: 'Given name of the invited person. Empty if unknown.',
      organization_name: 'Name of the organization.',
    },
    example: {
      id: inviteExample().id,
      target_email: graceExample().email,
      first_name: graceExample().first_name,
      organization_name: organization.name,
    },
  },
})

export const acceptInviteOperation = operation({
  id: 'signup_invite_create',
  method: 'post',
  path,
  summary: 'Accept an invite',
  description:
    'With a session cookie, the user joins if the invite is for their address; the body is ignored. Without one, creates an account for the ' +
    'invited address with `first_name` and `password`. Does not sign in.',
  scope: null,
  access: 'public',
  params,
  body: SignUpBody.partial(),
  responses: { 201: UserSummary, 403: ErrorBody, 404: ErrorBody },
  async handle(context) {
    const {
      deps,
      params: { invite_id: id },
      body,
    } = context
    // Staff who impersonate the user cannot join for the user.
    const session = await optionalSession(context, 'closed')
    if (session) {
      await acceptInvite(deps, session, id)
      return getUserSummary(deps.db, session.user.uuid)
    }
    const required = (field: 'first_name' | 'password') => {
      const value = body[field]
      if (value === undefined) throw invalid(field, 'This field is required.', 'required')
      return value
    }
    const account = { firstName: required('first_name'), password: required('password') }
    const { uuid } = await signUpByInvite(deps, id, account)
    return getUserSummary(deps.db, uuid)
  },
})

export const acceptInviteDocs = (): OperationDocs => ({
  parameters: inviteParameter(),
  body: {
    description: 'The new account.',
    fields: {
      first_name: 'Given name, at most 150 characters, without links. Required for a new account.',
      password: `${passwordText} Required for a new account. Write-only.`,
    },
    example: { first_name: graceExample().first_name, password: 'correct-horse-battery-staple' },
  },
  response: { example: graceExample() },
  errors: passwordErrors(),
  sample: { body: { first_name: 'Ada', password: 'lantern-over-$N' } },
})
