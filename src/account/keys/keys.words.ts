// What the reference says of personal API keys.
import { ada } from '../../docs/examples'
import type { Words } from '../../docs/words'

const ID = 'KgTPnO1KrsheE2OEfwZeA5'

/** Made up, and as long as a real one. */
const VALUE = 'phx_ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789abcwxyz'

const LABEL = 'What the key is for, at most 40 characters.'
const SCOPES =
  'What the key opens, at least one: `*` for everything, or kinds of things with `:read` or `:write`, such as `feature_flag:read`. `:write` opens what `:read` does.'
const SCOPED_TEAMS =
  'Ids of the projects that the key is restricted to, at most 100. Empty for every project of the user.'
const SCOPED_ORGANIZATIONS =
  'Ids of the organizations that the key is restricted to, at most 100. Empty for every organization of the user.'

const keyFields = {
  label: LABEL,
  description: 'More about it, at most 1,000 characters. Null or empty for none; none when left out.',
  scopes: SCOPES,
  scoped_teams: SCOPED_TEAMS,
  scoped_organizations: SCOPED_ORGANIZATIONS,
}

const body = {
  label: 'CI',
  description: 'Reads flags in the pipeline.',
  scopes: ['feature_flag:read'],
  scoped_teams: [],
  scoped_organizations: [],
}

const key = {
  id: ID,
  label: body.label,
  description: body.description,
  value: null,
  mask_value: 'phx_...wxyz',
  created_at: '2026-04-01T09:00:00Z',
  last_used_at: '2026-04-01T09:20:00Z',
  last_rolled_at: null,
  user_id: ada.id,
  is_legacy_hashing: false,
  scopes: body.scopes,
  scoped_teams: body.scoped_teams,
  scoped_organizations: body.scoped_organizations,
  local_dev_value: null,
}

const id = { id: { is: 'Id of the key.', example: ID } }

export const keysWords: Words = {
  schemas: {
    PersonalApiKey: {
      is: 'A key that opens in the name of a user what its scopes say.',
      fields: {
        id: 'Id of the key, for paths. It opens nothing.',
        label: LABEL,
        description: 'More about it. Null for none.',
        value:
          'The key itself (`phx_…`): in the answer that makes or rolls it, and never again. Null anywhere else.',
        mask_value: 'Its first and last four characters, to tell it by.',
        created_at: 'When it was made. ISO 8601, UTC.',
        last_used_at: 'When it was last used, exact to the hour. ISO 8601, UTC. Null for never.',
        last_rolled_at: 'When it was last given a new value. ISO 8601, UTC. Null for never.',
        user_id: 'Number of the user whose key it is.',
        is_legacy_hashing: 'Whether it is stored in an outdated way. Always false.',
        scopes: SCOPES,
        scoped_teams: SCOPED_TEAMS,
        scoped_organizations: SCOPED_ORGANIZATIONS,
        local_dev_value: 'Always null: keys are never kept in the open.',
      },
      example: key,
    },
    PersonalApiKeysCreateBody: {
      is: 'What a key is to be called, and to open. Lists are always sent, so that nobody opens everything by leaving one out.',
      fields: keyFields,
      example: body,
    },
    PersonalApiKeysPartialUpdateBody: {
      is: 'What to change of a key. What is left out stays.',
      fields: {
        ...keyFields,
        description: 'More about it, at most 1,000 characters. Null or empty for none.',
      },
      example: { label: 'CI, reading only', scopes: ['feature_flag:read'] },
    },
  },
  operations: {
    personal_api_keys_list: { answer: [key] },
    personal_api_keys_create: { answer: { ...key, value: VALUE, last_used_at: null } },
    personal_api_keys_retrieve: {
      parameters: { id: { is: 'Id of the key, or `@current` for the key that asks.', example: '@current' } },
    },
    personal_api_keys_partial_update: { parameters: id, answer: { ...key, label: 'CI, reading only' } },
    personal_api_keys_update: { parameters: id },
    personal_api_keys_destroy: { parameters: id },
    personal_api_keys_roll_create: {
      parameters: id,
      answer: { ...key, value: VALUE, last_rolled_at: '2026-04-01T09:30:00Z' },
    },
  },
}
