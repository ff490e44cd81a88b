import * as z from 'zod'
import { ErrorBody } from '../../http/error-body'
import { browserConfig } from '../browser-config'
import { evaluateFlags, isLimited } from '../evaluate-flags'
import { dictionaryIn, parseFlagsRequest, tokenIn } from '../flags-request'
import { isDecide, noFlags, renderFlags, shapeOf } from '../flags-response'
import type { SdkOperation } from '../operation'

const properties = z.record(z.string(), z.unknown())

const FlagsBody = z
  .object({
    token: z.string().describe('The public token of the project (`phc_…`); `api_key` means the same.'),
    distinct_id: z.string().describe('Who is asked about; at most 200 characters count.'),
    person_properties: properties.optional().describe('Win over what is stored of the person.'),
    groups: properties.optional().describe('Group type to group key.'),
    group_properties: z
      .record(z.string(), properties)
      .optional()
      .describe('By group type; win over what is stored.'),
    anon_distinct_id: z.string().optional().describe('The id from before the person was known.'),
    device_id: z.string().optional(),
    flag_keys: z.array(z.string()).optional().describe('Only these flags, and those that they depend on.'),
    evaluation_runtime: z
      .enum(['all', 'client', 'server'])
      .optional()
      .describe('Where the caller runs; else it is told from the request.'),
    evaluation_contexts: z
      .array(z.string())
      .optional()
      .describe('Where the caller is; flags that name other contexts are left out.'),
    disable_flags: z.boolean().optional().describe('Answer without any flag.'),
  })
  .meta({
    id: 'FlagsRequest',
    examples: [{ token: 'phc_…', distinct_id: 'user-1', person_properties: { email: 'ada@example.com' } }],
  })

const FlagsAnswer = z
  .looseObject({
    errorsWhileComputingFlags: z
      .boolean()
      .describe('Some flag could not be evaluated; the others are right.'),
    flags: z
      .record(
        z.string(),
        z.looseObject({
          key: z.string(),
          enabled: z.boolean(),
          variant: z.string().nullable(),
          failed: z.boolean().optional(),
          reason: z.looseObject({ code: z.string(), condition_index: z.int().nullable() }),
          metadata: z.looseObject({ id: z.int(), version: z.int(), payload: z.unknown() }),
        }),
      )
      .optional()
      .describe('With `v=2`. Older versions have `featureFlags` and `featureFlagPayloads`.'),
    requestId: z.uuid(),
    evaluatedAt: z.int().describe('Epoch milliseconds.'),
    quotaLimited: z.array(z.string()).optional(),
  })
  .meta({ id: 'FlagsAnswer' })

export const flags: SdkOperation = {
  id: 'flags_evaluate',
  methods: ['get', 'post'],
  paths: ['/flags/', '/decide/'],
  summary: 'Evaluate the flags of a project for somebody',
  description:
    'Definitions come from a snapshot that is at most 60 seconds old. Nothing is looked up when the request sends every property that the ' +
    'flags look at. `v` in the query chooses the shape: `/flags/?v=2` (records), `/flags/?v=1` and `/decide/?v=3` (maps).',
  security: 'projectToken',
  query: z.object({
    v: z.string().optional().describe('Version of the answer.'),
    config: z.string().optional(),
  }),
  body: FlagsBody,
  responses: { 200: FlagsAnswer, 400: ErrorBody, 401: ErrorBody, 413: ErrorBody, 503: ErrorBody },
  async handle({ deps, request, url, requestId, readBody, projectOf }) {
    const version = url.searchParams.get('v')
    const config = url.searchParams.get('config')
    const shape = shapeOf(url.pathname, version, config !== null)
    const envelope = {
      requestId: requestIdOf(request) ?? requestId,
      evaluatedAt: deps.clock.now().getTime(),
    }
    // GET, and HEAD with it, asks about nobody.
    if (request.method !== 'POST') return noFlags(shape, envelope)

    const body = dictionaryIn(await readBody())
    const project = await projectOf(tokenIn(body))
    const wanted = parseFlagsRequest(body, request.headers)
    const extra = wantsConfig(url.pathname, version, config) ? browserConfig : {}
    const loaded = wanted.disabled ? null : await deps.snapshots.load(project.id)
    if (!loaded) return { ...noFlags(shape, envelope), ...extra }
    if (isLimited(loaded)) {
      return { ...noFlags(shape, envelope, loaded.snapshot.quota_limited), ...extra }
    }
    const evaluation = await evaluateFlags(deps, loaded, wanted)
    return { ...renderFlags(shape, evaluation, loaded, envelope), ...extra }
  },
}

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/** The caller's own id of its request, when that is a UUID. */
function requestIdOf({ headers }: Request): string | null {
  const given = headers.get('X-Request-Id')
  return given !== null && UUID.test(given) ? given : null
}

/** Whether a client asks for what browsers want to know along with its flags. One that says nothing at all of `/flags` does (reference §8.2). */
function wantsConfig(path: string, version: string | null, config: string | null): boolean {
  if (config === null) return version === null && !isDecide(path)
  return !['false', '0', 'no', 'off'].includes(config.toLowerCase())
}
