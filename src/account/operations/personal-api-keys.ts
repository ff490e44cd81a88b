import * as z from 'zod'
import { type Actor, sessionOf } from '../../auth/actor'
import { keysNotSupported } from '../../auth/scopes'
import { notFound } from '../../errors'
import { type Operation, operation } from '../../http/operation'
import type { OperationDocs } from '../../http/docs/operation-docs'
import { keyExample, KeyRecord } from '../keys/key-record'
import { createKey, deleteKey, findKey, KeyBody, listKeys, rollKey, updateKey } from '../keys/key-write'

const PATH = '/api/personal_api_keys/'

/** Only a recent session manages keys, so that a key cannot create another one. */
const managed = { scope: null, recentAuth: true } as const

const params = z.looseObject({ id: z.string() })

const keyFields = () => ({
  label: 'What the key is for, at most 40 characters.',
  description: 'More about the key, at most 1,000 characters. Null or empty for none.',
  scopes:
    'At least one: `*` for all, or an object with `:read` or `:write`, such as `feature_flag:read`. `:write` includes `:read`.',
  scoped_teams:
    'Ids of the projects to restrict the key to, at most 100. Empty for all projects of the user.',
  scoped_organizations:
    'Ids of the organizations to restrict the key to, at most 100. Empty for all organizations of the user.',
})

const keyParameter = () => ({ id: { description: 'Id of the key.', example: keyExample().id } })

/** A key value for examples. It has the length of a real one. */
const secretExample = 'phx_ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789abcwxyz'

const userIdOf = (actor: Actor) => sessionOf(actor).user.id

export const listKeysOperation = operation({
  id: 'personal_api_keys_list',
  method: 'get',
  path: PATH,
  summary: 'List your personal API keys',
  description: 'Newest first, without their secrets.',
  scope: null,
  responses: { 200: z.array(KeyRecord) },
  handle: ({ deps, actor }) => listKeys(deps.db, userIdOf(actor)),
})

export const createKeyOperation = operation({
  id: 'personal_api_keys_create',
  method: 'post',
  path: PATH,
  summary: 'Create a personal API key',
  description: 'The response has the secret, once. A user has at most ten keys.',
  ...managed,
  body: KeyBody,
  responses: { 201: KeyRecord },
  handle: ({ deps, actor, body }) => createKey(deps, sessionOf(actor).user, body),
})

export const createKeyDocs = (): OperationDocs => ({
  body: {
    description: 'A new key. All lists are required, so that no restriction is left out by mistake.',
    fields: keyFields(),
    example: {
      label: 'CI',
      description: 'Reads flags in the pipeline.',
      scopes: ['feature_flag:read'],
    },
  },
  response: { example: { value: secretExample, last_used_at: null } },
  sample: { as: 'newUser' },
})

export const retrieveKeyOperation = operation({
  id: 'personal_api_keys_retrieve',
  method: 'get',
  path: `${PATH}:id/`,
  summary: 'Read a personal API key',
  description: 'A key can read itself and no other key; `@current` is the key of the request.',
  scope: 'any',
  params,
  responses: { 200: KeyRecord },
  handle({ deps, actor, params: { id } }) {
    if (actor.kind !== 'apiKey') {
      if (id === '@current') throw notFound()
      return findKey(deps.db, userIdOf(actor), id)
    }
    if (id !== '@current' && id !== actor.keyId) throw keysNotSupported()
    return findKey(deps.db, actor.user.id, actor.keyId)
  },
})

export const retrieveKeyDocs = (): OperationDocs => ({
  parameters: {
    id: { description: 'Id of the key, or `@current` for the key of the request.', example: '@current' },
  },
  sample: { path: { id: '@current' }, as: 'key' },
})

export const updateKeyOperation = operation({
  id: 'personal_api_keys_partial_update',
  method: 'patch',
  path: `${PATH}:id/`,
  summary: 'Update a personal API key',
  ...managed,
  params,
  body: KeyBody.partial(),
  responses: { 200: KeyRecord },
  handle: ({ deps, actor, params: { id }, body }) => updateKey(deps, userIdOf(actor), id, body),
})

export const updateKeyDocs = (): OperationDocs => ({
  parameters: keyParameter(),
  body: {
    description: 'Fields to change; the others keep their values.',
    fields: keyFields(),
    example: { label: 'CI, read-only', scopes: ['feature_flag:read'] },
  },
  response: { example: { label: 'CI, read-only' } },
  sample: { as: 'newUser' },
})

export const replaceKeyOperation: Operation = {
  ...updateKeyOperation,
  id: 'personal_api_keys_update',
  method: 'put',
  summary: 'Replace a personal API key',
  body: KeyBody,
}

export const replaceKeyDocs = (): OperationDocs => ({ parameters: keyParameter(), sample: { as: 'newUser' } })

export const deleteKeyOperation = operation({
  id: 'personal_api_keys_destroy',
  method: 'delete',
  path: `${PATH}:id/`,
  summary: 'Delete a personal API key',
  ...managed,
  params,
  responses: { 204: 'empty' },
  handle: ({ deps, actor, params: { id } }) => deleteKey(deps, userIdOf(actor), id),
})

export const deleteKeyDocs = (): OperationDocs => ({ parameters: keyParameter(), sample: { as: 'newUser' } })

export const rollKeyOperation = operation({
  id: 'personal_api_keys_roll_create',
  method: 'post',
  path: `${PATH}:id/roll/`,
  summary: 'Roll a personal API key',
  description:
    'Replaces the secret; the old one is invalid at once here, and within 30 seconds everywhere. The response has the new one, once.',
  ...managed,
  params,
  responses: { 200: KeyRecord },
  handle: ({ deps, actor, params: { id } }) => rollKey(deps, userIdOf(actor), id),
})

export const rollKeyDocs = (): OperationDocs => ({
  parameters: keyParameter(),
  response: {
    example: { value: secretExample, last_rolled_at: '2026-04-01T09:30:00Z' },
  },
  sample: { as: 'newUser' },
})
