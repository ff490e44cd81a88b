import * as z from 'zod'
import { ErrorBody } from '../../http/error-body'
import { evaluateFlags } from '../evaluate-flags'
import { parseFlagsRequest, tokenIn } from '../flags-request'
import { noFlags, renderFlags, shapeOf } from '../flags-response'
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
  async handle({ deps, request, url, readBody, projectOf }) {
    const shape = shapeOf(url.pathname, url.searchParams.get('v'), url.searchParams.has('config'))
    const envelope = { requestId: requestIdOf(request), evaluatedAt: deps.clock.now().getTime() }
    if (request.method === 'GET') return noFlags(shape, envelope)

    const body = await readBody()
    const project = await projectOf(tokenIn(body))
    const wanted = parseFlagsRequest(body, request.headers)
    const config = configFor(url)
    if (wanted.disabled) return { ...noFlags(shape, envelope), ...config }
    const loaded = await deps.snapshots.load(project.id)
    if (!loaded) return { ...noFlags(shape, envelope), ...config }
    const { quota_limited: quotaLimited } = loaded.snapshot
    if (quotaLimited.includes('feature_flags'))
      return { ...noFlags(shape, envelope, quotaLimited), ...config }
    return { ...renderFlags(shape, await evaluateFlags(deps, loaded, wanted), loaded, envelope), ...config }
  },
}

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/** The caller's own id of its request, when that is a UUID. */
function requestIdOf(request: Request): string {
  const given = request.headers.get('X-Request-Id')
  return given && UUID.test(given) ? given : crypto.randomUUID()
}

/** What browsers ask for along with their flags: which of the service's features are there. */
const configFor = (url: URL) =>
  isTrue(url.searchParams.get('config'))
    ? {
        supportedCompression: ['gzip', 'gzip-js'],
        sessionRecording: false,
        captureDeadClicks: false,
        capturePerformance: false,
        autocapture_opt_out: true,
        autocaptureExceptions: false,
        heatmaps: false,
        surveys: false,
        siteApps: [],
        toolbarParams: {},
        isAuthenticated: false,
        defaultIdentifiedOnly: true,
      }
    : {}

/** A parameter of the query that is there and does not say no. */
const isTrue = (value: string | null) =>
  value !== null && !['false', '0', 'no', 'off'].includes(value.toLowerCase())
