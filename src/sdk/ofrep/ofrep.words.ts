// What the reference says of OpenFeature's remote evaluation protocol.
import { person } from '../../http/docs/examples'
import type { Words } from '../../docs/words'
import { FLAG_ID, FLAG_KEY } from '../../flags/examples'

const resolution = {
  key: FLAG_KEY,
  value: true,
  reason: 'TARGETING_MATCH',
  metadata: { reason: 'condition_match', flagId: FLAG_ID, version: 2 },
}

export const ofrepWords: Words = {
  schemas: {
    OfrepContext: {
      is: 'For whom to evaluate, and what is known of them.',
      fields: {
        context:
          'All members are properties of the person, but for `targetingKey`, `groups` (group key by name of the group type), `evaluation_runtime` and `evaluation_contexts`, which mean what they mean to `/flags`.',
        'context.targetingKey': 'The distinct id. Of a longer one the first 200 characters count.',
      },
      example: { context: { targetingKey: person.distinct_id, ...person.properties } },
    },
    OfrepResolution: {
      is: 'What a flag resolves to; among many, it may also be why it does not.',
      fields: {
        key: 'Key of the flag.',
        value:
          'The variant; for a remote configuration its payload, parsed; for any other flag true or false. Absent where the application’s own default is to hold: while a flag with variants, or a remote configuration, is off.',
        variant: 'The variant; absent for none.',
        reason:
          'Why, in OpenFeature’s words: `TARGETING_MATCH`, `SPLIT` (a percentage or the variants decided), `DEFAULT` or `DISABLED`. Absent when it does not resolve.',
        metadata:
          'What the service itself says: `reason` (the code that `/flags` gives), `flagId`, `version`, and `payload` as JSON text if there is one. Absent when it does not resolve.',
        errorCode: '`GENERAL` when the flag could not be evaluated; otherwise absent.',
        errorDetails: 'Why it could not, for people, in English; otherwise absent.',
      },
      example: resolution,
    },
    OfrepEvaluateFlagsResponse: {
      is: 'What all flags resolve to.',
      fields: {
        flags: 'Every active flag that the caller may see.',
        metadata: '`generation`: counts what changed in the definitions. Empty for a project without any.',
      },
      example: { flags: [resolution], metadata: { generation: 3 } },
    },
    OfrepFailure: {
      is: 'Why there is no answer, in the protocol’s words.',
      fields: {
        key: 'Key of the flag that was asked for; absent when all were.',
        errorCode:
          '`PARSE_ERROR`, `INVALID_CONTEXT`, `TARGETING_KEY_MISSING`, `FLAG_NOT_FOUND` or `GENERAL`.',
        errorDetails: 'Why, for people, in English.',
      },
      example: {
        key: FLAG_KEY,
        errorCode: 'TARGETING_KEY_MISSING',
        errorDetails: 'context.targetingKey must be a non-empty string',
      },
    },
  },
  operations: {
    ofrep_evaluate_flag: {
      parameters: { key: { is: 'Key of the flag.', example: FLAG_KEY } },
    },
  },
}
