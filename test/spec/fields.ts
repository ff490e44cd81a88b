// Types of the specification's tables, and where a record leaves a value out.
import * as z from 'zod'

export const text = z.string()
export const boolean = z.boolean()
export const integer = z.int()
export const number = z.number()
export const uuid = z.uuid()
/** Any JSON; the key itself is required. */
export const any = z.unknown().refine((value) => value !== undefined, { error: 'is missing' })
export const object = z.record(z.string(), z.unknown())
/** "Timestamps are ISO 8601 UTC strings": with `Z`, and microseconds when they are not zero. */
export const timestamp = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{6})?Z$/)
export const maps = <T extends z.ZodType>(of: T) => z.record(z.string(), of)
/** A list, which the test has filled. */
export const filled = <T extends z.ZodType>(of: T) => z.array(of).min(1)

/**
 * Fields that are null where there is no value, though the specification names only their type. The compatibility page lists them.
 */
export const NULL_WITHOUT_VALUE: Readonly<Record<string, readonly string[]>> = {
  'User summary': ['is_email_verified', 'hedgehog_config', 'role_at_organization'],
  'Feature flag': [
    'created_by',
    'last_modified_by',
    'performed_rollback',
    'usage_dashboard',
    'has_enriched_analytics',
    'evaluation_runtime',
    'bucketing_identifier',
  ],
  'Feature flag version': [
    'performed_rollback',
    'ensure_experience_continuity',
    'has_enriched_analytics',
    'is_remote_configuration',
    'has_encrypted_payloads',
    'evaluation_runtime',
    'bucketing_identifier',
    'last_called_at',
    'created_by',
    'modified_by',
  ],
  'Flag rollout': ['max_rollout_percentage'],
  'Activity detail': ['merge', 'trigger', 'short_id', 'type'],
  'Test evaluation': ['condition_index', 'evaluation_distinct_id'],
  'Test evaluation condition': ['variant'],
  'Bulk delete': ['active_variant'],
  'Chat workspace link candidate': ['chat_team_name'],
  'Login session': ['location', 'device'],
  User: [
    'pending_email',
    'is_email_verified',
    'anonymize_data',
    'allow_impersonation',
    'toolbar_mode',
    'is_impersonated_until',
    'is_impersonated_read_only',
    'is_impersonated_reason',
    'sensitive_session_expires_at',
    'team',
    'organization',
    'set_current_organization',
    'set_current_team',
    'theme_mode',
    'allow_sidebar_suggestions',
    'role_at_organization',
    'passkeys_enabled_for_2fa',
    'onboarding_skipped_at',
    'onboarding_skipped_reason',
    'onboarding_skipped_organization_id',
    'onboarding_delegated_to_invite',
    'onboarding_delegated_to_organization_id',
    'onboarding_delegation_accepted_at',
    'is_organization_first_user',
  ],
  Organization: [
    'logo_media_id',
    'is_active',
    'is_not_active_reason',
    'customer_id',
    'enforce_2fa',
    'is_ai_data_processing_approved',
    'default_role_id',
  ],
}

/** Fields that the specification lists in a record and that are only sent. The compatibility page lists them. */
export const WRITE_ONLY: Readonly<Record<string, readonly string[]>> = {
  User: ['password', 'current_password'],
}

/** A record of the specification: every field is required. Upstream's further fields may be there. */
export const record = <Shape extends z.ZodRawShape>(name: string, shape: Shape): z.ZodType => {
  const fields = Object.entries(shape as unknown as Record<string, z.ZodType>)
    .filter(([field]) => !WRITE_ONLY[name]?.includes(field))
    .map(([field, type]) => [field, NULL_WITHOUT_VALUE[name]?.includes(field) ? type.nullable() : type])
  return z.looseObject(Object.fromEntries(fields) as Record<string, z.ZodType>)
}

/** "Paged list responses carry count, next, previous and results unless stated otherwise." */
export const pageOf = (row: z.ZodType) =>
  z.strictObject({
    count: integer,
    next: z.url().nullable(),
    previous: z.url().nullable(),
    results: filled(row),
  })

/** One error, the first. */
export const envelope = z.strictObject({
  type: text,
  code: text,
  detail: text,
  attr: text.nullable(),
})
/** "{error string}" */
export const errorText = z.looseObject({ error: text })
