// What the reference says of flags as they are sent and shown.
import type { Words } from '../docs/words'
import { createBody, flag, updateBody } from './examples.words'

const MOMENT = 'ISO 8601, UTC, to the microsecond'

/** What a field means, whether it is sent or shown. */
const meaning = {
  name: 'What the flag is for, in words.',
  key: 'What code asks for. No two flags of a project that are not deleted have the same.',
  filters: 'Who gets the flag, and with which value.',
  active: 'Whether the flag is on at all: an inactive one is off for everybody, whatever its filters say.',
  archived: 'Whether lists leave the flag out. Only an inactive flag can be archived.',
  ensure_experience_continuity:
    'Whether somebody who signs in keeps the answer that they had before. Not with `bucketing_identifier` `device_id`.',
  rollback_conditions: 'Kept as it is sent; the service does nothing with it.',
  performed_rollback: 'Kept as it is sent; the service does nothing with it.',
  tags: 'Labels for people to sort flags by: trimmed, lower-case, each once.',
  evaluation_contexts:
    'Names of the places where the flag may be evaluated; a caller that says where it is gets no flag that names only other places. Empty: everywhere.',
  analytics_dashboards: 'Ids of dashboards of the project that are about the flag.',
  has_enriched_analytics:
    'Whether the application reports views (`$feature_view`) and interactions (`$feature_interaction`), which the usage dashboard can show.',
  is_remote_configuration:
    'Whether the flag is there for its payload: it is the same for everybody, and `remote_config` answers it.',
  has_encrypted_payloads:
    'Whether payloads are encrypted at rest. Only with `is_remote_configuration`. API keys read them in the clear, sessions a placeholder.',
  evaluation_runtime: 'Where SDKs may evaluate the flag: on servers, in clients, or anywhere.',
  bucketing_identifier:
    'What a percentage is a share of: `distinct_id` for people, `device_id` for devices. For groups it is always the group.',
  last_called_at: `When an SDK last reported that it asked for the flag (${MOMENT}), give or take a minute; null if none ever did.`,
} as const

const writable = {
  name: `${meaning.name} At most 10,000 characters; may be blank.`,
  key: `${meaning.key} Letters, digits, \`-\` and \`_\`; at most 400 characters. A key that only a deleted flag has can be used again.`,
  active: meaning.active,
  archived: meaning.archived,
  created_at: 'When the flag was made (ISO 8601; without an offset, UTC).',
  performed_rollback: meaning.performed_rollback,
  rollback_conditions: meaning.rollback_conditions,
  ensure_experience_continuity: meaning.ensure_experience_continuity,
  tags: `${meaning.tags} Each has at most 255 characters. Replaces the whole set; null leaves it as it is.`,
  evaluation_contexts: `${meaning.evaluation_contexts} Trimmed and lower-cased. Replaces the whole set; null leaves it as it is.`,
  analytics_dashboards: `${meaning.analytics_dashboards} Replaces the whole set.`,
  has_enriched_analytics: meaning.has_enriched_analytics,
  creation_context: 'What the flag was made for. Write-only, and only kept with a new flag.',
  is_remote_configuration: meaning.is_remote_configuration,
  has_encrypted_payloads: meaning.has_encrypted_payloads,
  evaluation_runtime: meaning.evaluation_runtime,
  bucketing_identifier: meaning.bucketing_identifier,
  last_called_at:
    'When the flag was last asked for (ISO 8601; without an offset, UTC). Captured `$feature_flag_called` events keep it up to date.',
  _create_in_folder: 'Where the flag is filed. Write-only, and only kept with a new flag.',
  _should_create_usage_dashboard:
    'Whether a dashboard about the flag’s use is made along with a new flag. Write-only; an update ignores it.',
} as const

const withDefault = (field: keyof typeof writable, value: string) => `${writable[field]} Default ${value}.`

export const schemaWords: Words = {
  schemas: {
    FeatureFlag: {
      is: 'A flag: a switch that code asks for by key, and rules that say who gets it.',
      fields: {
        ...meaning,
        id: 'Id of the flag, unique in the service. Read-only.',
        deleted: 'Whether the flag is deleted. It is kept, is in no list and evaluates for nobody.',
        created_by: 'Who made the flag; null when that is not known. Read-only.',
        created_at: `When the flag was made (${MOMENT}).`,
        updated_at: `When the flag was last updated (${MOMENT}). Read-only.`,
        version: 'Counts the updates: 1 for a new flag, one more with each update. Read-only.',
        last_modified_by: 'Who updated the flag last; null when that is not known. Read-only.',
        experiment_set: 'Ids of the experiments that run, or ran, on the flag. Read-only.',
        experiment_set_metadata: 'The same experiments by name, in the order of their ids. Read-only.',
        'experiment_set_metadata.id': 'Id of the experiment.',
        'experiment_set_metadata.name': 'Name of the experiment.',
        'experiment_set_metadata.is_running': 'Whether it has started and not ended.',
        surveys: 'Surveys that are shown to those who get the flag, by id. Read-only.',
        'surveys.id': 'Id of the survey.',
        'surveys.name': 'Name of the survey.',
        features: 'Early-access features that people join through the flag, by id. Read-only.',
        'features.id': 'Id of the feature.',
        'features.name': 'Name of the feature.',
        'features.stage': 'How far the feature has come: `alpha`, `beta` and the like.',
        can_edit:
          'Whether the caller may update the flag. Always true: every member of a project may. Read-only.',
        usage_dashboard: 'Id of the dashboard about the flag’s use; null when it has none. Read-only.',
        user_access_level:
          'What the caller may do: `manager` for admins and whoever made the flag, `editor` for everybody else. Read-only.',
        status:
          'Whether the flag is still in use, in capitals; `status` tells why. `STALE`: nobody asked for it in 30 days, or nobody ever did and it has long been the same for everybody. Read-only.',
        is_used_in_replay_settings: 'Whether session replay records only those who get the flag. Read-only.',
        is_eligible_for_experiment: 'Whether it has 2 to 20 variants. Read-only.',
      },
      example: flag,
    },
    CreateFlag: {
      is: 'A new flag. Only `key` is required; fields that are not listed here are ignored.',
      fields: {
        ...writable,
        name: withDefault('name', 'blank'),
        filters:
          'Who gets the flag, and with which value; at least one condition set. Without filters nobody gets it, or, with `is_remote_configuration`, everybody. Payloads may be any JSON; what is no text is kept as its JSON text. At most 524,288 bytes.',
        deleted: 'True makes a flag that is deleted from the start. Default false.',
        active: withDefault('active', 'true'),
        archived: withDefault('archived', 'false'),
        created_at: withDefault('created_at', 'now'),
        ensure_experience_continuity: withDefault('ensure_experience_continuity', 'false'),
        rollback_conditions: withDefault('rollback_conditions', 'null'),
        performed_rollback: withDefault('performed_rollback', 'null'),
        tags: withDefault('tags', 'none'),
        evaluation_contexts: `${writable.evaluation_contexts} Default none; a project may demand one.`,
        analytics_dashboards: withDefault('analytics_dashboards', 'none'),
        has_enriched_analytics: withDefault('has_enriched_analytics', 'false'),
        creation_context: withDefault('creation_context', '`feature_flags`'),
        is_remote_configuration: withDefault('is_remote_configuration', 'false'),
        has_encrypted_payloads: withDefault('has_encrypted_payloads', 'false'),
        evaluation_runtime: withDefault('evaluation_runtime', '`all`; null means the same'),
        bucketing_identifier: withDefault('bucketing_identifier', '`distinct_id`; null means the same'),
        last_called_at: withDefault('last_called_at', 'null'),
        _create_in_folder: withDefault('_create_in_folder', '`Unfiled/Feature Flags`'),
        _should_create_usage_dashboard: withDefault('_should_create_usage_dashboard', 'true'),
      },
      example: createBody,
    },
    UpdateFlag: {
      is: 'What is to change. Fields that are left out stay as they are; fields that are not listed here are ignored.',
      fields: {
        ...writable,
        filters:
          'Replaces the filters as a whole, if it has `groups`; without them it is ignored. An empty list of groups takes the flag from everybody. Payloads may be any JSON; what is no text is kept as its JSON text. At most 524,288 bytes.',
        deleted: 'True deletes the flag, false restores it. There is no other way to delete one.',
        version:
          'The version that the caller read. With `original_flag`, somebody else’s change to the same field is a 409; without it, the last write wins.',
        original_flag:
          'The flag as the caller read it. Fields of the body that are no different from it are left out of the update when `version` is not the current one.',
      },
      example: updateBody,
    },
    FlagShapedBody: {
      is: 'Clients send the flag here. Whatever it holds is ignored; `{}` will do.',
      example: {},
    },
  },
}
