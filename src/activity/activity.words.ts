// What the reference says of the activity log.
import { ada } from '../http/docs/examples'
import type { ParameterWords, Words } from '../docs/words'
import { createBody, filtersShown, FLAG_ID, UPDATED_AT } from '../flags/examples.words'

/** The update of the flag that the examples are about. */
export const updateEntry = {
  id: '019d4d6b-dbea-7391-a1d5-3f60c8be2d17',
  user: { first_name: ada.first_name, email: ada.email },
  activity: 'updated',
  scope: 'FeatureFlag',
  item_id: String(FLAG_ID),
  detail: {
    changes: [
      {
        type: 'FeatureFlag',
        action: 'changed',
        field: 'filters',
        before: filtersShown(100),
        after: filtersShown(50),
      },
      { type: 'FeatureFlag', action: 'changed', field: 'version', before: 1, after: 2 },
    ],
    trigger: null,
    type: null,
    name: createBody.key,
    short_id: null,
  },
  created_at: UPDATED_AT,
}

/** The pages of every activity list. */
export const activityPages: Readonly<Record<string, ParameterWords>> = {
  limit: 'Entries a page, from 1; more than 1,000 counts as 1,000. Default 10.',
  page: 'Number of the page, from 1. Past the last one there are no results. Default 1.',
}

export const activityWords: Words = {
  schemas: {
    ActivityEntry: {
      is: 'One change. It is written in the same transaction as the change itself, so there is neither without the other. Read-only.',
      fields: {
        id: 'Id of the entry.',
        user: 'Who made the change, as they are called now.',
        'user.first_name': 'First name; `System` for a change that the service made by itself.',
        'user.email': 'Address; null for a change that the service made by itself.',
        'user.is_system': 'True for a change that the service made by itself; otherwise absent.',
        activity: 'What happened to the item.',
        scope: 'The kind of item.',
        item_id: 'Id of the item, as text, whatever its type elsewhere.',
        detail: 'What is different since.',
        'detail.changes':
          'The fields that changed. Empty where an item was made, and where it was deleted along with others.',
        'detail.changes.type': 'The kind of item that the field belongs to.',
        'detail.changes.action':
          '`created` when the field held nothing before, `deleted` when it holds nothing now, else `changed`. Null, empty text, lists and objects are nothing; false and 0 are something.',
        'detail.changes.field': 'Name of the field.',
        'detail.changes.before': 'Its value before, whole; null when it held nothing.',
        'detail.changes.after': 'Its value after, whole; null when it holds nothing.',
        'detail.trigger': 'The job that made the change. Always null: nothing is changed on a schedule here.',
        'detail.trigger.job_type': 'Kind of job.',
        'detail.trigger.job_id': 'Id of the job.',
        'detail.trigger.payload': 'What the job was given.',
        'detail.type': 'A kind within the scope. Always null: no item here has any.',
        'detail.name':
          'What the item is called after the change. For a flag its key, or its name when its tags were changed in bulk.',
        'detail.short_id': 'A second id that people can type. Always null: no item here has one.',
        'detail.context': 'Where the change belongs; only on entries about a version of an endpoint.',
        'detail.context.version': 'Number of the version, from 1.',
        created_at: 'When it happened (ISO 8601, UTC, to the microsecond).',
      },
      example: updateEntry,
    },
    ActivityPage: {
      is: 'A page of the activity log, and the way to the others.',
      fields: {
        results: 'The entries of this page, newest first.',
        next: 'URL of the next, older page; null on the last.',
        previous: 'URL of the page before; null on the first.',
        total_count: 'Entries on all pages together.',
      },
      example: { results: [updateEntry], next: null, previous: null, total_count: 1 },
    },
  },
}
