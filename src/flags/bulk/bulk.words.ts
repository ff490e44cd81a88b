// What the reference says of operations on many flags.
import type { ParameterWords, Words } from '../../docs/words'
import { createBody, FLAG_ID } from '../examples.words'
import { selectionWords } from '../operations/operations.words'

const textOf = (words: ParameterWords) => (typeof words === 'string' ? words : words.is)

/** The list's filters, in a body. */
const inBody = Object.fromEntries(
  Object.entries(selectionWords).map(([name, words]) => [`filters.${name}`, textOf(words)]),
)

const IDS = 'Ids of flags, as numbers or as digits in text.'

export const bulkWords: Words = {
  schemas: {
    BulkDelete: {
      is: 'Which flags to delete: either `ids` or `filters`. Either of them counts as left out when it is empty.',
      fields: {
        ids: `${IDS} As many as there are; archived ones too.`,
        filters:
          'The filters of the list, without `limit`, `offset` and `order`: every flag that the list would show is deleted. Booleans and arrays may be sent as such. Beware of `{"search": ""}`, which every flag matches that is not archived.',
        ...inBody,
      },
      example: { ids: [2, 3] },
    },
    BulkDeleteResult: {
      is: 'What became of each flag.',
      fields: {
        deleted: 'The flags that were deleted, in the order of their ids.',
        'deleted.id': 'Id of the flag.',
        'deleted.key': 'Its key before it was deleted.',
        'deleted.rollout_state':
          'How far it was rolled out: the same for everybody, for nobody, or anything in between.',
        'deleted.active_variant':
          'The variant that everybody got; null for a flag without variants, and for one that was not the same for everybody.',
        errors:
          'The flags that were not deleted: first what is no flag here, then what something still needs.',
        'errors.id': 'As it was sent.',
        'errors.key': 'Key of the flag; absent where there is no flag of that id.',
        'errors.reason': 'Why, for people, in English.',
      },
      example: {
        deleted: [{ id: 2, key: 'banner', rollout_state: 'fully_rolled_out', active_variant: null }],
        errors: [{ id: 3, reason: 'Flag not found' }],
      },
    },
    BulkKeys: {
      is: 'Which flags’ keys to look up.',
      fields: { ids: `${IDS} Without any, the answer is empty; when not one is an id, 400.` },
      example: { ids: [FLAG_ID, 2] },
    },
    BulkKeysResult: {
      is: 'Keys by id.',
      fields: {
        keys: 'The key of each flag, by its id as text. Ids of no flag, and of deleted ones, are left out.',
        warning: 'Which members of `ids` are no ids, in a sentence; absent when all are.',
      },
      example: { keys: { [FLAG_ID]: createBody.key, 2: 'banner' } },
    },
    BulkUpdateTags: {
      is: 'What to do to the tags of which flags.',
      fields: {
        ids: 'Ids of flags, 1 to 500.',
        action:
          '`add` puts the tags to those of each flag, `remove` takes them away, `set` puts them in their place.',
        tags: 'At most 100 tags of at most 255 characters; trimmed, lower-cased, each once. Empty only with `set`, which then clears.',
      },
      example: { ids: [FLAG_ID, 2], action: 'add', tags: ['spring'] },
    },
    BulkUpdateTagsResult: {
      is: 'What became of each flag.',
      fields: {
        updated: 'The flags, newest first; those too whose tags were like this before.',
        'updated.id': 'Id of the flag.',
        'updated.tags': 'All of its tags, in alphabetical order.',
        skipped: 'Ids of no flag in this project.',
        'skipped.id': 'As it was sent.',
        'skipped.reason': 'Why, for people, in English; always the same.',
      },
      example: {
        updated: [{ id: FLAG_ID, tags: [...createBody.tags, 'spring'] }],
        skipped: [{ id: 2, reason: 'Not found or no edit access' }],
      },
    },
    MatchingIds: {
      is: 'Ids of flags.',
      fields: { ids: 'Ids of all flags that match, newest flag first.', total: 'How many they are.' },
      example: { ids: [2, FLAG_ID], total: 2 },
    },
  },
  operations: {
    feature_flags_bulk_delete_create: { needsBody: true },
    feature_flags_matching_ids_retrieve: { parameters: selectionWords },
  },
}
