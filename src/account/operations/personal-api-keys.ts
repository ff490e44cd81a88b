import * as z from 'zod'
import { type Actor, sessionOf } from '../../auth/actor'
import { keysNotSupported } from '../../auth/scopes'
import { notFound } from '../../errors'
import { ErrorBody } from '../../http/error-body'
import { integer, text } from '../../http/fields'
import { operation } from '../../http/operation'
import { KeyRecord } from '../keys/record'
import { EmptyBody } from '../../http/plain-bodies'
import { createKey, deleteKey, findKey, listKeys, rollKey, updateKey } from '../keys/write'

const PATH = '/api/personal_api_keys/'

/** Keys are managed by people who are signed in, who did so lately: a key cannot make another one. */
const managed = { scope: null, recentAuth: true } as const

const params = z.looseObject({ id: z.string() })

/** What a list of a key may hold: an isolate keeps the keys that it recognised a moment ago in memory, with all that they say. */
const MOST_SCOPES = 300
const MOST_PLACES = 100

const once = <T>(items: T[]): T[] => [...new Set(items)]

const KeyBody = z.object({
  label: text({ max: 40 }),
  description: text({ max: 1000, blank: true }).nullable().optional(),
  scopes: z.array(z.string()).min(1).max(MOST_SCOPES).transform(once),
  scoped_teams: z.array(integer()).max(MOST_PLACES).transform(once),
  scoped_organizations: z
    .array(z.string().transform((id) => id.toLowerCase()))
    .max(MOST_PLACES)
    .transform(once),
})

const userIdOf = (actor: Actor) => sessionOf(actor).user.id

export const listKeysOperation = operation({
  id: 'personal_api_keys_list',
  method: 'get',
  path: PATH,
  summary: 'List your personal API keys',
  description: 'Newest first. Values are not shown again.',
  scope: null,
  responses: { 200: z.array(KeyRecord) },
  handle: ({ deps, actor }) => listKeys(deps.db, userIdOf(actor)),
})

export const createKeyOperation = operation({
  id: 'personal_api_keys_create',
  method: 'post',
  path: PATH,
  summary: 'Make a personal API key',
  description: 'The answer holds the key, once. A user has ten keys at most.',
  ...managed,
  body: KeyBody,
  responses: { 201: KeyRecord, 400: ErrorBody },
  handle: ({ deps, actor, body }) => createKey(deps, sessionOf(actor).user, body),
})

export const retrieveKeyOperation = operation({
  id: 'personal_api_keys_retrieve',
  method: 'get',
  path: `${PATH}:id/`,
  summary: 'Read a personal API key',
  description: 'A key may read itself, and nothing else here; `@current` is the key that asks.',
  scope: 'any',
  params,
  responses: { 200: KeyRecord, 404: ErrorBody },
  handle({ deps, actor, params: { id } }) {
    if (actor.kind !== 'apiKey') {
      if (id === '@current') throw notFound()
      return findKey(deps.db, userIdOf(actor), id)
    }
    if (id !== '@current' && id !== actor.keyId) throw keysNotSupported()
    return findKey(deps.db, actor.user.id, actor.keyId)
  },
})

export const updateKeyOperation = operation({
  id: 'personal_api_keys_partial_update',
  method: 'patch',
  path: `${PATH}:id/`,
  summary: 'Change a personal API key',
  ...managed,
  params,
  body: KeyBody.partial(),
  responses: { 200: KeyRecord, 400: ErrorBody, 404: ErrorBody },
  handle: ({ deps, actor, params: { id }, body }) => updateKey(deps, userIdOf(actor), id, body),
})

export const replaceKeyOperation = operation({
  id: 'personal_api_keys_update',
  method: 'put',
  path: `${PATH}:id/`,
  summary: 'Replace what a personal API key says and opens',
  ...managed,
  params,
  body: KeyBody,
  responses: { 200: KeyRecord, 400: ErrorBody, 404: ErrorBody },
  handle: ({ deps, actor, params: { id }, body }) => updateKey(deps, userIdOf(actor), id, body),
})

export const deleteKeyOperation = operation({
  id: 'personal_api_keys_destroy',
  method: 'delete',
  path: `${PATH}:id/`,
  summary: 'Delete a personal API key',
  ...managed,
  params,
  responses: { 204: 'empty', 404: ErrorBody },
  handle: ({ deps, actor, params: { id } }) => deleteKey(deps, userIdOf(actor), id),
})

export const rollKeyOperation = operation({
  id: 'personal_api_keys_roll_create',
  method: 'post',
  path: `${PATH}:id/roll/`,
  summary: 'Give a personal API key a new value',
  description: 'The old value opens nothing from then on. The answer holds the new one, once.',
  ...managed,
  params,
  body: EmptyBody,
  responses: { 200: KeyRecord, 404: ErrorBody },
  handle: ({ deps, actor, params: { id } }) => rollKey(deps, userIdOf(actor), id),
})
