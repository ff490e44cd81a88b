// Requests for an operation of the document, sound and spoiled, as values that can be read in a report: what only a tenant knows stands in
// them as a placeholder.
import * as fc from 'fast-check'
import { valuesOf } from './arbitrary'
import { type SentBody, soundBodies, spoiledBodies } from './bodies'
import { type Documented, schemas } from './document'
import { knownOf, wholeBodyOf } from './known'
import { queries, type Query } from './query'
import { type Piece, segments } from './segments'
import { weighted } from './weighted'

/** Who sends a request. */
export type Caller =
  /** The owner's key, which opens everything. */
  | 'key'
  | 'session'
  /** The session that has proved its first factor. */
  | 'challenge'
  /** An application, which knows the project's public token. */
  | 'project token'
  | 'nobody'
  /** Keys with less, or of others. */
  | 'narrow key'
  | 'key of a member'
  | 'key of a stranger'
  | 'unknown key'
  | 'key in the query'
  /** Sessions that are not as they should be. */
  | 'session from another page'
  | 'session without its CSRF token'
  | 'session of long ago'
  | 'unknown session'

export interface FuzzRequest {
  as: Caller
  /** Whether what the operation needs beside what is named here is there. */
  prepared: boolean
  /** Another method than the operation's. */
  method?: string
  path: Record<string, Piece>
  query: Query
  body: SentBody | null
  headers: Record<string, string>
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/** A path by which the project that everything is about could be deleted. */
const isOneProject = ({ path }: Documented) => /\/(projects|environments)\/\{\w+\}\/$/.test(path)

/** Requests for an operation, each part mostly sound. */
export function requestsFor(operation: Documented): fc.Arbitrary<FuzzRequest> {
  return fc.record(
    {
      as: callers(operation),
      prepared: weighted([
        [9, fc.constant(true)],
        [1, fc.constant(false)],
      ]),
      method: weighted([
        [60, fc.constant(operation.method)],
        [1, fc.constantFrom(...METHODS.filter((each) => each !== 'DELETE' || !isOneProject(operation)))],
      ]),
      path: fc.record(
        Object.fromEntries(
          inPath(operation).map((parameter) => [parameter.name, segments(operation, parameter)]),
        ),
        { noNullPrototype: true },
      ),
      query: queries(operation),
      body: bodies(operation),
      headers: headers(operation),
    },
    { noNullPrototype: true },
  )
}

const inPath = ({ parameters }: Documented) => parameters.filter((parameter) => parameter.in === 'path')

function callers({ credentials, id }: Documented): fc.Arbitrary<Caller> {
  const usual = usualCaller(credentials, id)
  const others: Caller[] = [
    'key',
    'session',
    'nobody',
    'narrow key',
    'key of a member',
    'key of a stranger',
    'unknown key',
    'key in the query',
    'session from another page',
    'session without its CSRF token',
    'session of long ago',
    'unknown session',
  ]
  return weighted([
    [30, fc.constant(usual)],
    [credentials.includes('session') ? 4 : 1, fc.constant<Caller>('session')],
    [4, fc.constantFrom(...others)],
  ])
}

/** Operations that take keys, but not the owner's for what they usually ask. */
const FROM_SESSIONS = new Set([
  'organizations_invites_delegate_create',
  'organizations_members_partial_update',
])

/** Who calls an operation with success. */
export function usualCaller(credentials: readonly string[], id: string): Caller {
  if (id === 'login_token_create') return 'challenge'
  if (id.startsWith('ofrep_')) return 'project token'
  if (FROM_SESSIONS.has(id)) return 'session'
  // A key knows only itself.
  if (id === 'personal_api_keys_retrieve') return 'session'
  if (credentials.includes('personalApiKey')) return 'key'
  return credentials.includes('session') ? 'session' : 'nobody'
}

function bodies(operation: Documented): fc.Arbitrary<SentBody | null> {
  if (!operation.body) {
    return weighted<SentBody | null>([
      [20, fc.constant(null)],
      [1, fc.constant(operation.method === 'GET' ? null : { type: 'application/json', text: '{"a":1}' })],
    ])
  }
  if (operation.method === 'GET') return fc.constant(null)
  const made = valuesOf(operation.body, { schemas, known: knownOf(operation.id) })
  const whole = wholeBodyOf(operation.id)
  const sound = whole ? fc.oneof(made, whole) : made
  return weighted<SentBody | null>([
    [11, soundBodies(sound)],
    [1, fc.constant(null)],
    [8, spoiledBodies(sound)],
  ])
}

function headers({ id }: Documented): fc.Arbitrary<Record<string, string>> {
  const tagged = ['local_evaluation', 'ofrep_evaluate_flags'].includes(id)
  return weighted<Record<string, string>>([
    [20, fc.constant({})],
    [tagged ? 8 : 1, fc.constant({ 'If-None-Match': '{{etag}}' })],
    [
      1,
      fc.constantFrom<Record<string, string>>(
        { Accept: 'text/html' },
        { 'X-HTTP-Method-Override': 'DELETE' },
        { Origin: 'https://elsewhere.example' },
        { 'Content-Encoding': 'gzip' },
        { 'Content-Encoding': 'br' },
        { 'User-Agent': 'x'.repeat(1_000) },
        { 'X-Forwarded-For': "'; --" },
        { Range: 'bytes=0-1' },
        { Authorization: 'Basic YTpi' },
      ),
    ],
  ])
}
