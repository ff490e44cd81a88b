import * as z from 'zod'
import { ErrorBody } from '../../http/error-body'
import { evaluateFlags, isLimited } from '../evaluate-flags'
import { taggedJson } from '../etag'
import { OfrepRefusal, ofrepToken, quotaExceeded, readOfrepRequest } from '../ofrep/request'
import { resolve } from '../ofrep/resolve'
import type { SdkOperation } from '../operation'

export const OfrepContext = z
  .object({
    context: z.looseObject({ targetingKey: z.string() }),
  })
  .meta({ id: 'OfrepContext' })

export const OfrepFailure = z
  .object({ key: z.string().optional(), errorCode: z.string(), errorDetails: z.string().optional() })
  .meta({ id: 'OfrepFailure' })

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

export const ofrepBulkOperation: SdkOperation = {
  id: 'ofrep_evaluate_flags',
  methods: ['post'],
  paths: ['/ofrep/v1/evaluate/flags/'],
  summary: 'Evaluate all flags (OpenFeature)',
  description:
    'The OpenFeature remote evaluation protocol, with the project token as bearer or in `X-API-Key`. Answers 304 to `If-None-Match`.',
  security: 'projectToken',
  body: OfrepContext,
  responses: {
    200: z.object({ flags: z.array(OfrepResolution), metadata: z.record(z.string(), z.unknown()) }),
    304: 'empty',
    400: OfrepFailure,
    401: ErrorBody,
    413: ErrorBody,
    415: ErrorBody,
    429: ErrorBody,
    503: ErrorBody,
  },
  async handle(context) {
    const { deps, request, projectOf } = context
    const project = await projectOf(ofrepToken(request))
    try {
      const wanted = await readOfrepRequest(context, null)
      const loaded = await deps.snapshots.load(project.id)
      if (!loaded) return { flags: [], metadata: {} }
      if (isLimited(loaded)) throw quotaExceeded()
      const evaluation = await evaluateFlags(deps, loaded, wanted)
      const flags = [...evaluation.flags].map(([key, result]) => resolve(key, result, evaluation, loaded))
      return await taggedJson(request, { flags, metadata: { generation: loaded.snapshot.generation } })
    } catch (error) {
      if (!(error instanceof OfrepRefusal)) throw error
      return Response.json({ errorCode: error.code, errorDetails: error.message }, { status: 400 })
    }
  },
}
