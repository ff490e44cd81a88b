// What a file has of a flag.

/** Fields of a flag that a file may have. */
export const FILE_FIELDS = [
  'name',
  'active',
  'archived',
  'filters',
  'tags',
  'evaluation_contexts',
  'evaluation_runtime',
  'bucketing_identifier',
  'ensure_experience_continuity',
  'is_remote_configuration',
  'has_encrypted_payloads',
] as const
export type FileField = (typeof FILE_FIELDS)[number]
