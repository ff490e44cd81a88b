// A call of the source of an import, as the console sends it and gets its reply.
import * as z from 'zod'
import { text } from '../http/fields'
import type { SchemaDocs } from '../http/docs/operation-docs'
import { MAX_URL_LENGTH } from '../http/public-url'

const SOURCES = ['posthog', 'unleash'] as const

/** A shorter key could be any text of a reply, from which it is removed. */
const MIN_KEY_LENGTH = 8
const MAX_KEY_LENGTH = 1_000
const MAX_PATH_LENGTH = 4_000

export const SourceCall = z
  .object({
    source: z.enum(SOURCES),
    url: text({ max: MAX_URL_LENGTH }),
    key: text({ max: MAX_KEY_LENGTH }).refine((value) => value.length >= MIN_KEY_LENGTH, {
      error: `A key has at least ${MIN_KEY_LENGTH} characters.`,
    }),
    method: z.enum(['GET', 'POST']),
    path: text({ max: MAX_PATH_LENGTH }),
    body: z.record(z.string(), z.unknown()).optional(),
  })
  .meta({ id: 'SourceCall' })
export type SourceCall = z.output<typeof SourceCall>

export const SourceCallDocs = (): SchemaDocs => ({
  description: 'A call of the source of an import.',
  fields: {
    source: 'The API of the source. Another Halyard is `posthog`.',
    url: 'Address of the source: `https://` on a public host. A local service takes `http://` and local hosts.',
    key: 'A key of the source.',
    method: '`POST` only where a read needs it: queries, evaluations and the export of Unleash.',
    path: 'Path and query of the call, after the address.',
    body: 'JSON body of a `POST`.',
  },
  example: {
    source: 'posthog',
    url: 'https://eu.posthog.com',
    key: 'phx_example_key',
    method: 'GET',
    path: '/api/projects/1/feature_flags/?limit=500',
  },
})

export const SourceReply = z
  .object({
    status: z.int().nullable(),
    body: z.string(),
    retry_after: z.string().nullable(),
    location: z.string().nullable(),
    error: z.string().nullable(),
  })
  .meta({ id: 'SourceReply' })
export type SourceReply = z.output<typeof SourceReply>

export const SourceReplyDocs = (): SchemaDocs => ({
  description: 'What the source of an import responded.',
  fields: {
    status: 'HTTP status of the response; null without one.',
    body: 'The response as text, with `[secret]` for the key.',
    retry_after: 'The header `Retry-After`; null for none.',
    location: 'The header `Location` of a redirect, which is not followed; null for none.',
    error: 'Why there is no response, or why it was not read; null for none.',
  },
  example: {
    status: 200,
    body: '{"count":0,"next":null,"previous":null,"results":[]}',
    retry_after: null,
    location: null,
    error: null,
  },
})
