// What the reference says of the operations on flags, one by one: parameters, answers, and how they differ from upstream.
import { activityEntryExample } from '../../activity/entry'
import type { ParameterWords, Words } from '../../docs/words'
import { flagInPath, updatedFlag } from '../examples.words'

/** The filters of the list, which other operations take too. */
export const selectionWords: Readonly<Record<string, ParameterWords>> = {
  active:
    'Only active flags, only inactive ones, or with `STALE` those active ones that are not in use any more.',
  archived: 'Only archived flags, or only others. Default `false`.',
  created_by_id: {
    is: 'Only flags that one of these users made: an id, ids with commas between them, or a JSON array of ids. Members that are no ids do not count; without any that is one, all flags match.',
    example: '1',
  },
  evaluation_runtime: 'Only flags with exactly this runtime: `all` does not stand for the others.',
  excluded_properties: 'Keys of flags to leave out, as a JSON array. Anything else is ignored.',
  excluded_tags: 'Leaves out flags that carry any of these tags: a JSON array. Anything else is ignored.',
  has_evaluation_contexts: 'Only flags with evaluation contexts, or only those without.',
  search: {
    is: 'Only flags with this text in their key, their name, or the name of an experiment on them, whatever the case. At most 200 characters. A space also stands for `-`, `_` or nothing: `new check` finds `new-checkout`.',
    example: 'new check',
  },
  tags: {
    is: 'Only flags that carry at least one of these tags, in lower case: a JSON array. Anything else is ignored.',
    example: '["checkout"]',
  },
  type: 'Only flags with variants (`multivariant`), without (`boolean`), with an experiment on them, or that are remote configurations.',
}

const activityPages = {
  limit: 'Entries a page, from 1; more than 1,000 counts as 1,000. Default 10.',
  page: 'Number of the page, from 1. Past the last page `results` is empty. Default 1.',
}

export const flagOperationsWords: Words = {
  operations: {
    feature_flags_list: {
      parameters: {
        ...selectionWords,
        order: {
          is: 'What to sort by, `-` in front for descending: `id`, `key`, `name`, `created_at`, `updated_at`, `last_called_at`, `active`, `version` or `created_by`. Default `-created_at`.',
          example: 'key',
        },
      },
    },
    feature_flags_retrieve: { parameters: { id: flagInPath } },
    feature_flags_partial_update: {
      parameters: { id: flagInPath },
      answer: updatedFlag,
    },
    feature_flags_destroy: { parameters: { id: { ...flagInPath, example: String(flagInPath.example) } } },
    feature_flags_activity_retrieve: {
      parameters: { id: flagInPath, ...activityPages },
      answer: { results: [activityEntryExample()], next: null, previous: null, total_count: 1 },
    },
    feature_flags_all_activity_retrieve: {
      parameters: activityPages,
    },
    feature_flags_versions_retrieve: {
      parameters: {
        id: flagInPath,
        version_number: { is: 'Number of the version, from 1.', example: 1 },
      },
    },
    feature_flags_status_retrieve: { parameters: { id: flagInPath } },
    feature_flags_dependent_flags_retrieve: {
      parameters: { id: flagInPath },
      answer: [{ id: 3, key: 'new-cart', name: 'New cart' }],
    },
    feature_flags_remote_config_retrieve: {
      parameters: { id: { is: 'Id of the flag, or its key. Digits alone are an id.', example: 'banner' } },
      answer: '{"text": "Sale until Sunday"}',
    },
    feature_flags_create_static_cohort_for_flag_create: {
      parameters: { id: flagInPath },
    },
    feature_flags_dashboard_create: { parameters: { id: flagInPath } },
    feature_flags_enrich_usage_dashboard_create: { parameters: { id: flagInPath } },
  },
}
