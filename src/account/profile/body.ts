// What a user may change of themselves (spec "scene_personalisation", reference §1.2, §11). Everything else in a body is ignored.
import * as z from 'zod'
import { boolean, text } from '../../http/fields'
import { email } from '../email'

/** Names show up in invites and lists: a link in one is bait. */
const name = () =>
  text({ max: 150, blank: true }).refine((value) => !/:\/\/|\bwww\./i.test(value), {
    error: 'Names must not contain links.',
  })

/** An id that comes as a number or as text. */
const reference = () => z.union([z.string(), z.int()]).transform(String)

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
  notification_settings: z.record(z.string(), z.unknown()),
  anonymize_data: boolean().nullable(),
  allow_impersonation: boolean().nullable(),
  toolbar_mode: z.enum(['disabled', 'toolbar', '']).nullable(),
  is_staff: boolean(),
  set_current_organization: reference(),
  set_current_team: reference(),
  password: z.string().min(1),
  current_password: z.string(),
  events_column_config: z.unknown(),
  has_seen_product_intro_for: z.unknown(),
  theme_mode: z.enum(['light', 'dark', 'system', '']).nullable(),
  hedgehog_config: z.unknown(),
  allow_sidebar_suggestions: boolean().nullable(),
  shortcut_position: z.enum(['above', 'below', 'hidden', '']).nullable(),
  role_at_organization: z.enum(ROLES).nullable(),
  passkeys_enabled_for_2fa: boolean().nullable(),
  hide_mcp_hints: boolean(),
}

export const ProfileBody = z.object(profileFields).partial()
export type ProfileBody = z.output<typeof ProfileBody>

/** Fields that a session may change however long ago it signed in (reference §0.5). */
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
