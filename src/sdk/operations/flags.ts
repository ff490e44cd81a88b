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
    token: z.string(),
    distinct_id: z.string(),
    person_properties: properties.optional(),
    groups: properties.optional(),
    group_properties: z.record(z.string(), properties).optional(),
    anon_distinct_id: z.string().optional(),
    device_id: z.string().optional(),
    flag_keys: z.array(z.string()).optional(),
    evaluation_runtime: z.enum(['all', 'client', 'server']).optional(),
    evaluation_contexts: z.array(z.string()).optional(),
    disable_flags: z.boolean().optional(),
  })
  .meta({ id: 'FlagsRequest' })

const FlagsAnswer = z
  .looseObject({
    errorsWhileComputingFlags: z.boolean(),
    flags: z
      .record(
        z.string(),
        z.object({
          key: z.string(),
          enabled: z.boolean(),
          variant: z.string().nullable(),
          failed: z.literal(true).optional(),
          reason: z.object({
            code: z.string(),
            condition_index: z.int().nullable(),
            description: z.string().optional(),
          }),
          metadata: z.object({
            id: z.int(),
            version: z.int(),
            description: z.null(),
            payload: z.unknown(),
            has_experiment: z.boolean(),
          }),
        }),
      )
      .optional(),
    featureFlags: z
      .union([z.record(z.string(), z.union([z.boolean(), z.string()])), z.array(z.string())])
      .optional(),
    featureFlagPayloads: properties.optional(),
    requestId: z.uuid(),
    evaluatedAt: z.int(),
    quotaLimited: z.array(z.string()).optional(),
  })
  .meta({ id: 'FlagsAnswer' })

export const evaluateFlagsOperation: SdkOperation = {
  id: 'flags_evaluate',
  methods: ['get', 'post'],
  paths: ['/flags/', '/decide/'],
  summary: 'Evaluate the flags of a project for somebody',
  description:
    'Definitions come from a snapshot: a change is visible at once in the location where it was made, and within 60 seconds everywhere. ' +
    'Nothing is looked up when the request sends every property that the flags look at. `v` in the query chooses the shape: `/flags/?v=2` (records), `/flags/?v=1` and `/decide/?v=3` (maps).',
  security: 'projectToken',
  query: z.object({
    v: z.string().optional(),
    config: z.string().optional(),
  }),
  body: FlagsBody,
  responses: {
    200: FlagsAnswer,
    400: ErrorBody,
    401: ErrorBody,
    413: ErrorBody,
    415: ErrorBody,
    503: ErrorBody,
  },
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
