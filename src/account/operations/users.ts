import * as z from 'zod'
import { sessionOf } from '../../auth/actor'
import { text } from '../../http/fields'
import type { OperationDocs } from '../../http/docs/operation-docs'
import { ada } from '../../http/docs/examples'
import { operation } from '../../http/operation'
import { completeCredentialReview } from '../keys/key-write'
import { targetUserId } from '../users/target-user'
import { HARMLESS_FIELDS, ProfileBody, profileFields } from '../users/profile-body'
import { dashboardReference } from '../users/scene'
import { updateProfile } from '../users/profile-update'
import { getUserRecord } from '../users/user-record'
import { preferenceFields, UserRecord } from '../users/user-schema'
import { passwordErrors } from '../password/hash-limit'
import { passwordText } from '../password/password-length'
import { PASSWORD_LIMIT } from '../sign-in/attempt-limits'
import { orEmpty } from '../../http/plain-bodies'
import { skipOnboarding } from '../onboarding/skip'

const PATH = '/api/users/:uuid/'

export const retrieveUserOperation = operation({
  id: 'users_retrieve',
  method: 'get',
  path: PATH,
  summary: 'Read your user record',
  description:
    'With your current organization and project, and all your organizations. A key gets those that it has access to.',
  scope: 'user:read',
  beforeTwoFactor: true,
  targetUser: { staff: true },
  responses: { 200: UserRecord },
  handle: async (context) =>
    getUserRecord(context.deps.db, context.actor, await targetUserId(context), context.deps.clock.now()),
})

export const retrieveUserDocs = (): OperationDocs => ({ tool: { name: 'user-get' } })

export const updateUserOperation = operation({
  id: 'users_partial_update',
  method: 'patch',
  path: PATH,
  summary: 'Update your profile',
  description:
    'A new password requires the current one and ends all other login sessions. Keys cannot change `password`, `email` and `is_staff`. ' +
    'Ignores unknown and read-only fields.',
  scope: 'user:write',
  recentAuth: { exceptFields: HARMLESS_FIELDS },
  impersonation: { onlyFields: ['set_current_organization'] },
  targetUser: { staff: true },
  body: ProfileBody,
  responses: { 200: UserRecord },
  handle: async (context) =>
    updateProfile(context.deps, context.actor, await targetUserId(context), context.body),
})

const profileFieldDocs = () => ({
  ...preferenceFields(),
  first_name: 'Given name, at most 150 characters, without links. May be empty.',
  last_name: 'Family name, at most 150 characters, without links. May be empty.',
  email:
    'Email address for sign-in, at most 254 characters, stored in lower case. Applies at once, as unverified.',
  notification_settings:
    'Settings to merge into the stored ones, maps item by item, with the keys of `NotificationSettings`. At most 16,384 bytes of JSON, and 65,536 when merged.',
  is_staff: 'Whether the user is staff. Only staff with a session can change it.',
  set_current_organization:
    'Id of an organization of the user, the new current one; its first project becomes the current project. Write-only.',
  set_current_team:
    'Id of a project of the user, the new current one; its organization becomes the current organization. Write-only.',
  password: `New password: ${passwordText} Write-only.`,
  current_password:
    'Current password. Required with `password`, unless the user has none. At most 5 a minute. Write-only.',
  events_column_config: `${preferenceFields().events_column_config} At most 65,536 bytes.`,
  has_seen_product_intro_for: `${preferenceFields().has_seen_product_intro_for} At most 65,536 bytes; replaces the stored value.`,
  hedgehog_config:
    'The avatar; any JSON of at most 8,192 bytes. Other users see `use_as_profile`, `color`, `accessories` and `skin` of it, or of its `actor_options` if `version` is 2.',
  role_at_organization: 'Role of the user; null or empty for none.',
  passkeys_enabled_for_2fa: 'True is rejected: there are no passkeys.',
})

const passwordLimit = () => ({ what: 'current passwords', ...PASSWORD_LIMIT })

export const updateUserDocs = (): OperationDocs => ({
  tool: {
    name: 'user-settings-update',
    omits: [
      'email',
      'allow_impersonation',
      'is_staff',
      'password',
      'current_password',
      'passkeys_enabled_for_2fa',
    ],
  },
  body: {
    description: 'Fields to change; the others keep their values.',
    fields: profileFieldDocs(),
    example: { first_name: ada.first_name, theme_mode: 'dark' },
  },
  errors: passwordErrors(),
  attemptLimit: passwordLimit(),
  sample: { body: { first_name: 'Ada' } },
})

export const personaliseSceneOperation = operation({
  id: 'users_scene_personalisation_create',
  method: 'post',
  path: `${PATH}scene_personalisation/`,
  summary: 'Choose the dashboard of a scene, and update your profile',
  description:
    '`scene` and `dashboard` require each other; the dashboard must belong to your current project.',
  scope: 'user:write',
  recentAuth: { exceptFields: [...HARMLESS_FIELDS, 'scene', 'dashboard'] },
  targetUser: { staff: true },
  body: z
    .object({
      ...profileFields,
      scene: text({ max: 200 }),
      dashboard: dashboardReference(),
    })
    .partial(),
  record: UserRecord,
  responses: { 200: 'empty' },
  async handle(context) {
    await updateProfile(context.deps, context.actor, await targetUserId(context), context.body)
  },
})

export const personaliseSceneDocs = (): OperationDocs => ({
  body: {
    description: 'A scene with its dashboard, and profile fields to change.',
    fields: {
      ...profileFieldDocs(),
      scene: 'Name of the scene in clients, at most 200 characters, case-sensitive.',
      dashboard: 'Id of the dashboard for the scene. It replaces an earlier one.',
    },
    // The example sets no dashboard, because the project may have none.
    example: { theme_mode: 'dark', hide_mcp_hints: true },
  },
  errors: passwordErrors(),
  attemptLimit: passwordLimit(),
  tool: { omits: Object.keys(profileFieldDocs()) },
})

export const completeCredentialReviewOperation = operation({
  id: 'users_credentials_review_complete_create',
  method: 'post',
  path: `${PATH}credentials_review_complete/`,
  summary: 'Confirm the review of your API keys',
  scope: null,
  recentAuth: true,
  responses: { 204: 'empty' },
  handle: ({ deps, actor }) => completeCredentialReview(deps, sessionOf(actor).user.id),
})

export const skipOnboardingOperation = operation({
  id: 'users_onboarding_skip_create',
  method: 'post',
  path: '/api/users/:uuid/onboarding/skip/',
  summary: 'Skip onboarding',
  description:
    'Idempotent: a repeat keeps the timestamp and updates the reason. Deletes an invite that delegates onboarding, unless it was accepted; a ' +
    'key needs access to its organization. ' +
    'An invite of `…/invites/delegate/` delegates it.',
  scope: 'user:write',
  recentAuth: true,
  targetUser: { staff: true },
  throttles: [{ name: 'onboarding_skip', calls: 30, seconds: 3_600 }],
  body: orEmpty(
    z.object({
      reason: z.enum(['later', 'other']),
      step_at_skip: text({ max: 64, blank: true }).optional(),
    }),
  ),
  responses: { 200: UserRecord },
  handle: async (context) =>
    skipOnboarding(context.deps, context.actor, await targetUserId(context), context.body.reason),
})

export const skipOnboardingDocs = (): OperationDocs => ({
  body: {
    description: 'Why the user skips onboarding.',
    fields: {
      reason: '`later` or `other`.',
      step_at_skip: 'The onboarding step, at most 64 characters. Checked, not stored.',
    },
    example: { reason: 'later', step_at_skip: 'install' },
  },
})
