// Operations of OpenFeature's remote evaluation protocol.
import * as z from 'zod'
import { FLAG_ID, FLAG_KEY } from '../../flags/examples'
import { person } from '../../http/docs/examples'
import type { OperationDocs, SchemaDocs } from '../../http/docs/operation-docs'
import { ErrorBody } from '../../http/error-body'
import { located } from '../caller-location'
import { evaluateFlags, isOverQuota } from '../evaluate-flags'
import { taggedJson } from '../etag'
import { OfrepError, ofrepToken, parseOfrepRequest, quotaExceeded } from '../ofrep/request'
import { type Resolution, resolve } from '../ofrep/resolve'
import { BODY_ERRORS, type SdkOperation } from '../operation'
import { tokenErrors } from '../project-token'
import { eventStreams } from './stream'

export const OfrepContext = z
  .object({
    context: z.looseObject({ targetingKey: z.string() }),
  })
  .meta({ id: 'OfrepContext' })

export const OfrepContextDocs = (): SchemaDocs => ({
  description: 'The person to evaluate for, and known properties.',
  fields: {
    context:
      'Properties of the person, except `targetingKey`, `groups` (group key by name of the group type), `evaluation_runtime`, `evaluation_contexts` and `geoip_disable`, which are those of `/flags`.',
    'context.targetingKey': 'The distinct id. Longer ones are cut to 200 characters.',
  },
  example: { context: { targetingKey: person.distinct_id, ...person.properties } },
})

export const OfrepFailure = z
  .object({ key: z.string().optional(), errorCode: z.string(), errorDetails: z.string().optional() })
  .meta({ id: 'OfrepFailure' })

export const OfrepFailureDocs = (): SchemaDocs => ({
  description: 'An error of the protocol.',
  fields: {
    key: 'Key of the flag; absent for all flags.',
    errorCode: '`PARSE_ERROR`, `INVALID_CONTEXT`, `TARGETING_KEY_MISSING`, `FLAG_NOT_FOUND` or `GENERAL`.',
    errorDetails: 'Reason, in English.',
  },
  example: {
    key: FLAG_KEY,
    errorCode: 'TARGETING_KEY_MISSING',
    errorDetails: 'context.targetingKey must be a non-empty string',
  },
})

export const OfrepResolution = z
  .object({
    key: z.string(),
    value: z.unknown().optional(),
    variant: z.string().optional(),
    reason: z.string().optional(),
    metadata: z.record(z.string(), z.unknown()).optional(),
    errorCode: z.string().optional(),
    errorDetails: z.string().optional(),
  })
  .meta({ id: 'OfrepResolution' })

const resolutionExample = () => ({
  key: FLAG_KEY,
  value: true,
  reason: 'TARGETING_MATCH',
  metadata: { reason: 'condition_match', flagId: FLAG_ID, version: 2 },
})

export const OfrepResolutionDocs = (): SchemaDocs => ({
  description: 'Result of a flag. Among all flags it may also be an error.',
  fields: {
    key: 'Key of the flag.',
    value:
      'Value: the parsed payload of a remote configuration, the variant, or a boolean for other flags. Absent while a remote configuration or a flag with variants is off or inactive: the application uses its own default.',
    variant: 'Variant; absent for none.',
    reason:
      'OpenFeature reason: `TARGETING_MATCH`, `SPLIT` (a percentage or the variants decided), `DEFAULT` or `DISABLED`. Absent with an error.',
    metadata:
      '`reason` (the code that `/flags` returns), `flagId`, `version`, and the `payload` as JSON text if there is one. Absent with an error.',
    errorCode: '`GENERAL` when evaluation failed; otherwise absent.',
    errorDetails: 'Reason of the error, in English; otherwise absent.',
  },
  example: resolutionExample(),
})

const DESCRIPTION =
  'The OpenFeature remote evaluation protocol. Send the project token as bearer or in `X-API-Key`.'

const errors = { ...BODY_ERRORS, 429: ErrorBody }

const errorDocs = () => ({
  errors: { 401: tokenErrors(), 429: { 'Evaluations are used up': quotaExceeded() } },
  tooOften: 'The evaluation quota of the project is used up.',
})

export const ofrepBulkOperation: SdkOperation = {
  id: 'ofrep_evaluate_flags',
  methods: ['post'],
  paths: ['/ofrep/v1/evaluate/flags/'],
  summary: 'Evaluate all flags (OpenFeature)',
  description: `${DESCRIPTION} Supports \`If-None-Match\`.`,
  security: 'projectToken',
  body: OfrepContext,
  responses: {
    200: z.object({
      flags: z.array(OfrepResolution),
      metadata: z.record(z.string(), z.unknown()),
      eventStreams: z
        .array(z.object({ type: z.string(), url: z.string(), inactivityDelaySec: z.int() }))
        .optional(),
    }),
    304: 'empty',
    400: OfrepFailure,
    ...errors,
  },
  async handle(context) {
    const { deps, request, url, projectOf } = context
    const project = await projectOf(ofrepToken(request))
    return respond(null, async () => {
      const { input, isLocated } = await parseOfrepRequest(context, null)
      const loaded = await deps.snapshots.load(project.id)
      if (!loaded) return Response.json({ flags: [], metadata: {} })
      if (isOverQuota(loaded)) throw quotaExceeded()
      const { personKeys } = loaded.requirements.together
      const evaluation = await evaluateFlags(
        deps,
        loaded,
        located(input, isLocated, personKeys, request),
        true,
      )
      const flags = [...evaluation.byKey()].map(([key, result]) => resolve(key, result, evaluation, loaded))
      return taggedJson(request, {
        flags,
        metadata: { generation: loaded.snapshot.generation },
        ...eventStreams(deps.env, url, ofrepToken(request)!),
      })
    })
  },
}

export const ofrepBulkDocs = (): OperationDocs => ({
  response: {
    description: 'Results of all flags.',
    fields: {
      flags: 'Flags of the runtime and the contexts of the caller; inactive ones have the reason `DISABLED`.',
      metadata:
        '`generation`: a number that every change of the definitions increases. Empty without definitions.',
      eventStreams: 'URL of the change stream (`flags_stream`); absent where the deployment has no streams.',
      'eventStreams.type': 'Always `sse`.',
      'eventStreams.url': 'URL of the stream.',
      'eventStreams.inactivityDelaySec': 'After how many seconds a hidden page closes the stream.',
    },
    example: {
      flags: [resolutionExample()],
      metadata: { generation: 3 },
      eventStreams: [
        { type: 'sse', url: 'https://flags.example.com/flags/stream/?token=phc_…', inactivityDelaySec: 120 },
      ],
    },
  },
  ...errorDocs(),
  sample: { as: 'token' },
})

export const ofrepFlagOperation: SdkOperation = {
  id: 'ofrep_evaluate_flag',
  methods: ['post'],
  paths: ['/ofrep/v1/evaluate/flags/:key/'],
  summary: 'Evaluate one flag (OpenFeature)',
  description: DESCRIPTION,
  security: 'projectToken',
  params: z.object({ key: z.string() }),
  body: OfrepContext,
  responses: { 200: OfrepResolution, 400: OfrepFailure, 404: OfrepFailure, ...errors },
  async handle(context) {
    const { deps, request, params, projectOf } = context
    const key = params.key ?? ''
    const project = await projectOf(ofrepToken(request))
    return respond(key, async () => {
      const { input, isLocated } = await parseOfrepRequest(context, key)
      const loaded = await deps.snapshots.load(project.id)
      if (!loaded?.compiled.byKey.has(key)) return respondWith(notFound(key))
      if (isOverQuota(loaded)) throw quotaExceeded()
      const { personKeys } = loaded.requirements.together
      const evaluation = await evaluateFlags(
        deps,
        loaded,
        located(input, isLocated, personKeys, request),
        true,
      )
      const result = evaluation.byKey().get(key)
      return respondWith(result ? resolve(key, result, evaluation, loaded) : notFound(key))
    })
  },
}

export const ofrepFlagDocs = (): OperationDocs => ({
  parameters: { key: { description: 'Key of the flag.', example: FLAG_KEY } },
  ...errorDocs(),
  sample: { needs: ['a published flag'], as: 'token' },
})

const notFound = (key: string): Resolution => ({
  key,
  errorCode: 'FLAG_NOT_FOUND',
  errorDetails: `There is no flag "${key}" for this caller.`,
})

function respondWith(resolution: Resolution): Response {
  if (!('errorCode' in resolution)) return Response.json(resolution)
  return Response.json(resolution, { status: resolution.errorCode === 'FLAG_NOT_FOUND' ? 404 : 400 })
}

/** Responds, and converts an error of the protocol to its response. */
async function respond(key: string | null, work: () => Promise<Response>): Promise<Response> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof OfrepError)) throw error
    const { code, message } = error
    return Response.json(
      { ...(key === null ? {} : { key }), errorCode: code, errorDetails: message },
      { status: 400 },
    )
  }
}
