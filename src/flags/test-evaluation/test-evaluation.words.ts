// What the reference says of trying flags out: for one person, for the caller, for everybody.
import { person, project } from '../../http/docs/examples'
import type { Words } from '../../docs/words'
import { conditionSet, createBody, definition, flagInPath } from '../examples.words'
import { schemaWords } from '../schema.words'

const { fields: ofFlag = {} } = schemaWords.schemas!.FeatureFlag!

/** Of the words for flags those for some fields. */
export const ofDefinition = (prefix: string, ...names: string[]) =>
  Object.fromEntries(names.map((name) => [`${prefix}.${name}`, ofFlag[name]!]))

const [filter] = conditionSet(100).properties
const VALUE = 'The variant if the person gets one, else whether the flag is on for them.'

/** What decides, by its code (reference/flags-evaluation.md §2.3). */
export const REASONS =
  '`condition_match`, `no_condition_match`, `out_of_rollout_bound` (properties match, the percentage leaves them out), `no_group_type` (no group was given), `super_condition_value` (enrollment), `holdout_condition_value`, `flag_disabled`, `missing_dependency`'

export const testEvaluationWords: Words = {
  schemas: {
    TestEvaluation: {
      is: 'For whom to evaluate the flag, and as of when. Send one of `distinct_id` and `person_id`.',
      fields: {
        distinct_id:
          'A distinct id of the person. One that nobody has stands for somebody without properties.',
        person_id: 'The uuid of the person. One that nobody has is a 404.',
        timestamp:
          'The moment to evaluate at (ISO 8601; without an offset, UTC): flag and person are taken as they were then. Default, and null: now.',
        groups: 'The groups that the person is in: group key by name of the group type. Default none.',
      },
      example: { distinct_id: person.distinct_id },
    },
    TestEvaluationResult: {
      is: 'What a flag says for one person, and what every condition set had to do with it.',
      fields: {
        flag_key: 'Key of the flag.',
        result: VALUE,
        reason: `What decided: ${REASONS}, or \`flag_not_found\` for a flag that is deleted.`,
        reason_description: 'The same in a few words, in English; null for a flag that is deleted.',
        condition_index:
          'The condition set that the reason is about, from 0; null when it is about none of them.',
        payload:
          'The payload that goes along with the result, as JSON text; null without one. Encrypted payloads are shown to API keys only.',
        person_properties: 'Those of the person’s properties that the flag looks at, as they were used.',
        evaluation_distinct_id: 'The distinct id that was sent; null when `person_id` was.',
        conditions:
          'Every condition set in the order of the filters, those after the one that decided too. Empty for a flag that is off for everybody.',
        'conditions.index': 'Its place in the filters, from 0.',
        'conditions.matched': 'Whether it decided.',
        'conditions.properties_matched': 'Whether all of its properties hold, whatever its percentage.',
        'conditions.explanation': 'What came of it, in a sentence, in English.',
        'conditions.rollout_percentage': 'Its percentage, 0 to 100.',
        'conditions.rollout_excluded':
          'Whether its properties hold, and its percentage leaves this person out.',
        'conditions.variant': 'The variant that it gives to everybody whom it matches; null: their own one.',
        'conditions.properties': 'Every property that it looks at.',
        'conditions.properties.key': 'Name of the property; for a flag its id, as text.',
        'conditions.properties.operator': 'How it is compared, as stored.',
        'conditions.properties.value': 'What it is compared with; null when the operator needs nothing.',
        'conditions.properties.type': 'Where it is looked up: `person`, `group`, `cohort` or `flag`.',
        'conditions.properties.actual_value':
          'What the person or group has there; null for nothing, and for cohorts and flags.',
        'conditions.properties.matched': 'Whether it holds.',
        'conditions.properties.explanation': 'What was compared with what, in a sentence, in English.',
      },
      example: {
        flag_key: createBody.key,
        result: true,
        reason: 'condition_match',
        reason_description: 'Matched condition set 1',
        condition_index: 0,
        payload: null,
        person_properties: person.properties,
        evaluation_distinct_id: person.distinct_id,
        conditions: [
          {
            index: 0,
            matched: true,
            properties_matched: true,
            explanation: 'Condition 0 matched and passed 100% rollout',
            rollout_percentage: 100,
            rollout_excluded: false,
            variant: null,
            properties: [
              {
                ...filter,
                actual_value: person.properties.email,
                matched: true,
                explanation: `Property 'email' contains "@example.com"`,
              },
            ],
          },
        ],
      },
    },
    PersonMissing: {
      is: 'There is no such person. Both members say so: clients read one or the other.',
      fields: {
        error: 'What went wrong, for people, in English.',
        detail: 'The same once more.',
      },
      example: {
        error: 'Person not found for person_id: 019d4d6b-2c10-7a55-8f0e-4b9d1c6e7a21',
        detail: 'Person not found for person_id: 019d4d6b-2c10-7a55-8f0e-4b9d1c6e7a21',
      },
    },
    EvaluationReason: {
      is: 'What a flag says for one person, and why.',
      fields: {
        value: VALUE,
        evaluation: 'What decided.',
        'evaluation.reason': `Its code: ${REASONS}, or \`disabled\` for a flag that is off for everybody.`,
        'evaluation.condition_index':
          'The condition set that the reason is about, from 0; null when it is about none of them.',
        'evaluation.description':
          'The same in a few words, in English; null when evaluation failed, absent with `disabled`.',
      },
      example: {
        value: true,
        evaluation: {
          reason: 'condition_match',
          condition_index: 0,
          description: 'Matched condition set 1',
        },
      },
    },
    MyFlag: {
      is: 'A flag, and what it says for the caller.',
      fields: {
        feature_flag: 'The flag as evaluation sees it.',
        ...ofDefinition(
          'feature_flag',
          'id',
          'name',
          'key',
          'filters',
          'active',
          'ensure_experience_continuity',
          'version',
          'evaluation_runtime',
          'bucketing_identifier',
          'evaluation_contexts',
        ),
        'feature_flag.team_id': 'Id of the project.',
        'feature_flag.deleted': 'Always false: deleted flags are left out.',
        value: 'The variant if the caller gets one, else whether the flag is on for them.',
      },
      example: { feature_flag: definition(project.id), value: true },
    },
    BlastRadiusRequest: {
      is: 'Whom to count.',
      fields: {
        condition:
          'A condition set, as in the filters of a flag; required. Its percentage and variant do not count.',
        group_type_index:
          'Index of the group type whose groups to count, 0 to 4. Default, and null: people are counted.',
      },
      example: { condition: { properties: [filter] }, group_type_index: null },
    },
    BlastRadius: {
      is: 'How many a condition set matches.',
      fields: {
        affected: 'People, or groups, that match. Past 2,500 in all it is an estimate.',
        total: 'All people, or groups of the type, that there are.',
      },
      example: { affected: 120, total: 2400 },
    },
  },
  operations: {
    feature_flags_test_evaluation_create: {
      needsBody: true,
      parameters: { id: flagInPath },
    },
    feature_flags_evaluation_reasons_retrieve: {
      parameters: {
        distinct_id: {
          is: 'A distinct id of the person. One that nobody has stands for somebody without properties.',
          example: person.distinct_id,
        },
        groups:
          'The groups that the person is in, as a JSON object: group key by name of the group type. Default `{}`.',
      },
      answer: {
        [createBody.key]: {
          value: true,
          evaluation: {
            reason: 'condition_match',
            condition_index: 0,
            description: 'Matched condition set 1',
          },
        },
        'old-banner': { value: false, evaluation: { reason: 'disabled', condition_index: null } },
      },
    },
    feature_flags_my_flags_retrieve: {
      answer: [{ feature_flag: definition(project.id), value: true }],
    },
  },
}
