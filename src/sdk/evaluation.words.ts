// What the reference says of evaluating flags for an SDK, or in one.
import { person, project } from '../http/docs/examples'
import type { Words } from '../docs/words'
import { definitionExample, FLAG_ID, FLAG_KEY } from '../flags/examples'
import { reasonCodes } from '../flags/evaluate/reason-codes'
import { describeDefinition } from '../flags/schema'

const TOKEN = 'The public token of the project (`phc_…`)'

export const sdkEvaluationWords: Words = {
  schemas: {
    FlagsRequest: {
      is: 'For whom to evaluate, and what is known of them.',
      fields: {
        token: `${TOKEN}; \`api_key\` means the same.`,
        distinct_id: 'A distinct id of the person. Of a longer one the first 200 characters count.',
        person_properties:
          'Properties of the person, which win over those that are stored. When every property that the flags look at is here, nothing is looked up. Default none.',
        groups: 'The groups that the person is in: group key by name of the group type. Default none.',
        group_properties:
          'Properties of these groups, by name of the group type; they win over those that are stored. Default none.',
        anon_distinct_id:
          'The distinct id from before the person signed in, for flags that keep their answer across that.',
        device_id: 'Id of the device, for flags that are bucketed by device.',
        flag_keys:
          'Keys of the flags to evaluate; those that they depend on are evaluated, and answered, too. Default all.',
        evaluation_runtime:
          'Where the caller runs: flags for elsewhere are left out. Default: what the user agent and other headers say of it.',
        evaluation_contexts:
          'Where the caller is, in lower case: flags that name only other contexts are left out. Default: no flag is.',
        disable_flags: 'Whether to answer without any flag. Default false.',
      },
      example: {
        token: project.api_token,
        distinct_id: person.distinct_id,
        person_properties: person.properties,
      },
    },
    FlagsAnswer: {
      is: 'What the flags say, in the form that `v` asks for. The members of BrowserConfig are there too when `config` asks for them, or neither it nor `v` is sent.',
      fields: {
        errorsWhileComputingFlags:
          'Whether some flag could not be evaluated. The others are right; clients keep what they knew of those that are not here.',
        flags:
          'Every active flag that the caller may see, by key: `/flags/` with `v=2` or more, or with neither `v` nor `config`; `/decide/?v=4`.',
        'flags.key': 'Key of the flag.',
        'flags.enabled': 'Whether the flag is on for this person.',
        'flags.variant': 'The variant that they get; null for none.',
        'flags.failed': 'True when the flag could not be evaluated; otherwise absent.',
        'flags.reason': 'What decided.',
        'flags.reason.code': `Its code: ${reasonCodes()}, or what failed.`,
        'flags.reason.condition_index':
          'The condition set that the reason is about, from 0; null when it is about none of them.',
        'flags.reason.description': 'The same in a few words, in English; absent when evaluation failed.',
        'flags.metadata': 'What else there is to know of the flag.',
        'flags.metadata.id': 'Id of the flag.',
        'flags.metadata.version': 'Its version.',
        'flags.metadata.description': 'Always null.',
        'flags.metadata.payload':
          'The payload that goes along with the answer, as JSON text; null without one.',
        'flags.metadata.has_experiment': 'Whether an experiment is on the flag.',
        featureFlags:
          'Older forms. `/flags/?v=1` and `/decide/?v=3`: by key the variant, or whether the flag is on. `/decide/?v=2`: the same for those that are on. `/decide/`: the keys of those that are on.',
        featureFlagPayloads:
          'By key the payloads that go along with the answers, as JSON text: `/flags/?v=1` and `/decide/?v=3`.',
        requestId: 'Id of the request: that of the header `X-Request-Id`, if it is a UUID.',
        evaluatedAt: 'When the flags were evaluated, in milliseconds since 1970.',
        quotaLimited:
          'Holds `feature_flags` when the project has used up its evaluations: then there are no flags. Otherwise absent.',
      },
      example: {
        errorsWhileComputingFlags: false,
        flags: {
          [FLAG_KEY]: {
            key: FLAG_KEY,
            enabled: true,
            variant: null,
            reason: { code: 'condition_match', condition_index: 0, description: 'Matched condition set 1' },
            metadata: {
              id: FLAG_ID,
              version: 2,
              description: null,
              payload: null,
              has_experiment: false,
            },
          },
        },
        requestId: '82084b1a-c3a7-4a11-8030-215b32c7945d',
        evaluatedAt: 1775120707530,
      },
    },
    LocalEvaluation: {
      is: 'What an SDK needs to evaluate flags by itself.',
      fields: {
        flags: 'All flags by key, inactive ones too; not deleted ones, nor those with encrypted payloads.',
        ...describeDefinition('flags'),
        'flags.filters':
          'Who gets the flag, and with which value. Other flags that it looks at are named by key, with `dependency_chain`: the keys of all that have to be evaluated before, in order.',
        'flags.has_experiment': 'Whether an experiment is on the flag.',
        group_type_mapping: 'Name of each group type, by its index as text.',
        cohorts:
          'The conditions of the cohorts that flags look at, by id. Static cohorts are not there: what looks at one has to be asked of `/flags`.',
        minimal_flag_called_events:
          'Whether SDKs should leave properties out of their `$feature_flag_called` events. Always false.',
        property_matching_version:
          'How values are compared: 1, where a filter of true or false asks whether a property is true; 2, where it asks for that text.',
      },
      example: {
        flags: [{ ...definitionExample(project.id), has_experiment: false }],
        group_type_mapping: { 0: 'company' },
        cohorts: {},
        minimal_flag_called_events: false,
        property_matching_version: 1,
      },
    },
  },
  operations: {
    flags_evaluate: {
      parameters: {
        v: {
          is: 'Form of the answer: see there. Default, for `/flags/`: 2, and with `config` 1.',
          example: '2',
        },
        config:
          'Whether to answer what BrowserConfig holds as well: anything but `false`, `0`, `no` and `off`. Default: only without `v`.',
      },
    },
    local_evaluation: {
      parameters: {
        token: {
          is: `${TOKEN}. Default: the project that the caller works in.`,
          example: project.api_token,
        },
        send_cohorts: 'No effect: cohorts are always there.',
      },
    },
  },
}
