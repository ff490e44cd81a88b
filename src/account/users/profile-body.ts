// Fields of a profile update; others are ignored (docs/reference/accounts.md#profile).
import * as z from 'zod'
import { boolean, text } from '../../http/fields'
import { jsonBytes } from '../../json-bytes'
import { email, personName } from '../identity-fields'
import { newPassword } from '../password/password-length'

const name = () => personName({ max: 150, blank: true })

const NO_INTEGER = { error: 'A valid integer is required.' }

/** A project id, as a number or text. */
const projectId = () =>
  z
    .union([z.string().refine((value) => value.trim() !== '', NO_INTEGER), z.int()], NO_INTEGER)
    .transform(String)

/** Maximum bytes of an avatar: a page of 1,000 flags has two in each. */
const MAX_AVATAR_BYTES = 1_024
/** Maximum bytes of other stored JSON, all of which must fit into one row. */
export const MAX_JSON_BYTES = 65_536

export const tooManyBytes = (max: number) => `Ensure this field has no more than ${max} bytes of JSON.`

/** Maximum bytes of settings in a request. SQLite merges settings in time proportional to the sent keys times the stored keys. */
export const MAX_SETTINGS_PATCH_BYTES = 16_384

const upTo = (max: number) =>
  [
    (value: unknown) => jsonBytes(value) <= max,
    { error: tooManyBytes(max), params: { code: 'max_length' } },
  ] as const

const json = (max: number) => z.unknown().refine(...upTo(max))

const ROLES = [
  'engineering',
  'data',
  'product',
  'founder',
  'leadership',
  'marketing',
  'sales',
  'other',
] as const

export const profileFields = {
  first_name: name(),
  last_name: name(),
  email: email(),
  notification_settings: z.record(z.string(), z.unknown()).refine(...upTo(MAX_SETTINGS_PATCH_BYTES)),
  anonymize_data: boolean().nullable(),
  allow_impersonation: boolean().nullable(),
  toolbar_mode: z.enum(['disabled', 'toolbar', '']).nullable(),
  is_staff: boolean(),
  // The record of a user without an organization has null, and changes nothing when it is sent back.
  set_current_organization: text().nullable(),
  set_current_team: projectId().nullable(),
  password: newPassword(),
  current_password: z.string(),
  events_column_config: json(MAX_JSON_BYTES),
  has_seen_product_intro_for: json(MAX_JSON_BYTES),
  theme_mode: z.enum(['light', 'dark', 'system', '']).nullable(),
  hedgehog_config: json(MAX_AVATAR_BYTES),
  allow_sidebar_suggestions: boolean().nullable(),
  shortcut_position: z.enum(['above', 'below', 'hidden', '']).nullable(),
  role_at_organization: z.enum([...ROLES, '']).nullable(),
  passkeys_enabled_for_2fa: boolean().nullable(),
  hide_mcp_hints: boolean(),
}

export const ProfileBody = z.object(profileFields).partial()
export type ProfileBody = z.output<typeof ProfileBody>

/** Fields that need no recent sign-in (docs/reference/accounts.md#recent-sign-in). */
export const HARMLESS_FIELDS = [
  'theme_mode',
  'set_current_organization',
  'set_current_team',
  'allow_sidebar_suggestions',
  'shortcut_position',
  'has_seen_product_intro_for',
  'events_column_config',
  'role_at_organization',
] as const
