// What the reference says of what is told about a flag besides the flag itself: earlier versions, its status, its dependents.
import { ada } from '../http/docs/examples'
import type { Words } from '../docs/words'
import { createBody, firstVersion } from './examples.words'
import { schemaWords } from './schema.words'

const MOMENT = 'ISO 8601, UTC, to the microsecond'
const { fields: ofFlag = {} } = schemaWords.schemas!.FeatureFlag!

/** Of the words for flags those for some fields, as they were at an earlier version. */
const asBefore = (...names: string[]) => Object.fromEntries(names.map((name) => [name, ofFlag[name]!]))

export const flagRecordsWords: Words = {
  schemas: {
    FeatureFlagVersion: {
      is: 'A flag as it was at one of its versions, rebuilt from the activity log. What the log does not keep, such as tags, is not there. Read-only.',
      fields: {
        ...asBefore(
          'key',
          'name',
          'filters',
          'active',
          'rollback_conditions',
          'performed_rollback',
          'ensure_experience_continuity',
          'has_enriched_analytics',
          'is_remote_configuration',
          'has_encrypted_payloads',
          'evaluation_runtime',
          'bucketing_identifier',
        ),
        id: 'Id of the flag.',
        deleted:
          'Whether the flag was deleted. True for all versions of a flag that a bulk delete took, which counts no version.',
        version: 'Number of this version, from 1.',
        last_called_at: `When an SDK had last reported that it asked for the flag (${MOMENT}); null if none had.`,
        created_at: `When the flag was made (${MOMENT}).`,
        created_by: 'Id of the user who made the flag; null when that is not known.',
        is_historical: 'False for the version that is current, true for earlier ones.',
        version_timestamp: `When the flag became this version (${MOMENT}).`,
        modified_by: 'Id of the user who made it this version; null when that is not known.',
      },
      example: firstVersion,
    },
    FlagStatus: {
      is: 'Whether a flag is still in use, and how far it is rolled out. Read-only.',
      fields: {
        status:
          'The first that holds: `deleted`, `archived`, `stale`, else `active`, which a flag that is turned off is too. `unknown` does not occur.',
        reason: 'Why, in a sentence, in English.',
        rollout: 'What the filters come to, whatever the status.',
        'rollout.effectively_full_rollout':
          'Whether everybody gets the same: a set without properties is at 100 per cent, and if there are variants, one of them is decided.',
        'rollout.has_targeting_conditions': 'Whether any condition set has properties.',
        'rollout.max_rollout_percentage':
          'The largest percentage of any condition set, 0 to 100, in per cent; null without any.',
        'rollout.is_multivariate': 'Whether the flag has variants.',
      },
      example: {
        status: 'active',
        reason: 'Flag has no usage data yet',
        rollout: {
          effectively_full_rollout: false,
          has_targeting_conditions: true,
          max_rollout_percentage: 100,
          is_multivariate: false,
        },
      },
    },
    DependentFlag: {
      is: 'A flag whose conditions look at another. Read-only.',
      fields: {
        id: 'Id of the flag.',
        key: 'Key of the flag.',
        name: 'Name of the flag; its key when it has none.',
      },
      example: { id: 3, key: 'new-cart', name: 'New cart' },
    },
    DashboardRefused: {
      is: 'Why nothing was done to the dashboard.',
      fields: { success: 'Always false.', error: 'Why, for people, in English.' },
      example: { success: false, error: 'No enriched analytics available for this feature flag' },
    },
    FeatureFlagsCreateStaticCohortForFlagCreateResponse: {
      is: 'The cohort that was made.',
      fields: { cohort: 'The cohort, which is still being filled.' },
      example: {
        cohort: {
          id: 1,
          name: `Users with feature flag ${createBody.key} enabled at 2026-04-02 09:05:00`,
          description: '',
          deleted: false,
          is_static: true,
          filters: null,
          groups: [],
          is_calculating: true,
          count: null,
          errors_calculating: 0,
          last_calculation: null,
          created_by: ada,
          created_at: '2026-04-02T09:05:00.214000Z',
        },
      },
    },
  },
}
