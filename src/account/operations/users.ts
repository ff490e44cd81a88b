import * as z from 'zod'
import { sessionOf } from '../../auth/actor'
import { ErrorBody } from '../../http/error-body'
import { text } from '../../http/fields'
import { operation } from '../../http/operation'
import { completeCredentialReview } from '../credential-review'
import { subjectId } from '../find-subject'
import { EmptyBody } from '../../http/plain-bodies'
import { HARMLESS_FIELDS, ProfileBody, profileFields } from '../profile/body'
import { dashboardReference } from '../profile/scene'
import { updateProfile } from '../profile/update'
import { readUserRecord } from '../user-record'
import { UserRecord } from '../user-schema'

const PATH = '/api/users/:uuid/'

export const retrieveUserOperation = operation({
  id: 'users_retrieve',
  method: 'get',
  path: PATH,
  summary: 'Read your user record',
  description: 'With the organization and project that you work in, and all that you belong to.',
  scope: 'user:read',
  subject: { staff: true },
  responses: { 200: UserRecord, 404: ErrorBody },
  handle: async (context) =>
    readUserRecord(context.deps.db, context.actor, await subjectId(context), context.deps.clock.now()),
})

export const updateUserOperation = operation({
  id: 'users_partial_update',
  method: 'patch',
  path: PATH,
  summary: 'Change your profile',
  description:
    'A new password takes the current one and signs all other browsers out. Keys may change neither password, email nor is_staff. ' +
    'Unknown and read-only fields are ignored.',
  scope: 'user:write',
  recentAuth: { exceptFields: HARMLESS_FIELDS },
  impersonation: { onlyFields: ['set_current_organization'] },
  subject: { staff: true },
  body: ProfileBody,
  responses: { 200: UserRecord, 400: ErrorBody, 404: ErrorBody, 429: ErrorBody },
  handle: async (context) =>
    updateProfile(context.deps, context.actor, await subjectId(context), context.body),
})

export const personaliseSceneOperation = operation({
  id: 'users_scene_personalisation_create',
  method: 'post',
  path: `${PATH}scene_personalisation/`,
  summary: 'Choose the dashboard of a scene, and change your profile',
  description:
    '`scene` and `dashboard` come together: the dashboard has to be of the project that you work in, and takes the place of the one that ' +
    'the scene had. The other fields are those of your profile, with the same rules.',
  scope: 'user:write',
  recentAuth: { exceptFields: [...HARMLESS_FIELDS, 'scene', 'dashboard'] },
  subject: { staff: true },
  body: z
    .object({
      ...profileFields,
      scene: text({ max: 200 }),
      dashboard: dashboardReference(),
    })
    .partial(),
  responses: { 200: 'empty', 400: ErrorBody, 404: ErrorBody, 429: ErrorBody },
  async handle(context) {
    await updateProfile(context.deps, context.actor, await subjectId(context), context.body)
  },
})

export const completeCredentialReviewOperation = operation({
  id: 'users_credentials_review_complete_create',
  method: 'post',
  path: `${PATH}credentials_review_complete/`,
  summary: 'Say that you looked through what may act in your name',
  scope: null,
  recentAuth: true,
  body: EmptyBody,
  responses: { 204: 'empty' },
  handle: ({ deps, actor }) => completeCredentialReview(deps, sessionOf(actor).user.id),
})
