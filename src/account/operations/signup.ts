import * as z from 'zod'
import { invalid } from '../../errors'
import { ErrorBody } from '../../http/error-body'
import { operation } from '../../http/operation'
import { newPassword } from '../password/length'
import { personName } from '../person-name'
import { acceptInvite, findLiveInvite, signUpByInvite } from '../organizations/invite-accept'
import { signedIn } from '../signed-in'
import { readUserSummary, UserSummary } from '../../auth/user-summary'

const path = '/api/signup/:invite_id/'
const params = z.object({ invite_id: z.guid().toLowerCase() })

export const previewInviteOperation = operation({
  id: 'signup_invite_retrieve',
  method: 'get',
  path,
  summary: 'See what an invite is for',
  scope: null,
  access: 'anybody',
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
    const invite = await findLiveInvite(deps.db, id, deps.clock.now())
    return {
      id,
      target_email: invite.targetEmail,
      first_name: invite.firstName,
      organization_name: invite.organizationName,
    }
  },
})

export const acceptInviteOperation = operation({
  id: 'signup_invite_create',
  method: 'post',
  path,
  summary: 'Accept an invite',
  description:
    'With the cookie of a session: the user joins, if the invite is for their address; nothing needs to be sent. Without one: an account ' +
    'for the invited address is made, with the `first_name` and `password` that are sent. Signing in is a step of its own.',
  scope: null,
  access: 'anybody',
  params,
  body: z.object({
    first_name: personName({ max: 150 }).optional(),
    password: newPassword({ blank: true }).optional(),
  }),
  responses: { 201: UserSummary, 400: ErrorBody, 403: ErrorBody, 404: ErrorBody },
  async handle(context) {
    const {
      deps,
      params: { invite_id: id },
      body,
    } = context
    // Joining is for the user to decide, not for whoever looks as them.
    const session = await signedIn(context, 'closed')
    if (session) {
      await acceptInvite(deps, session, id)
      return readUserSummary(deps.db, session.user.uuid)
    }
    const required = (field: 'first_name' | 'password') => {
      const value = body[field]
      if (value === undefined) throw invalid(field, 'This field is required.', 'required')
      return value
    }
    const account = { firstName: required('first_name'), password: required('password') }
    return readUserSummary(deps.db, await signUpByInvite(deps, id, account))
  },
})
