// What the reference says of what every area shares.
import type { Words } from '../docs/words'

export const httpWords: Words = {
  schemas: {
    Error: {
      is: 'What went wrong. The first field that is not acceptable is named; the others are not looked at.',
      fields: {
        type: 'The kind of failure: the request, who sent it, how often, how much the project may evaluate, or the service.',
        code: 'What went wrong, for programs: stable, in snake case.',
        detail: 'What went wrong, for people, in English.',
        attr: 'The field, its path joined with `__`; null for the request as a whole.',
      },
      example: { type: 'validation_error', code: 'required', detail: 'This field is required.', attr: 'key' },
    },
    ErrorText: {
      is: 'What went wrong, from the operations that say it in a sentence of their own.',
      fields: { error: 'What went wrong, for people, in English.' },
      example: { error: 'Provide either filters or ids, not both' },
    },
  },
}
