import * as z from 'zod'
import { ErrorBody } from '../../http/error-body'
import { evaluateFlags, isLimited } from '../evaluate-flags'
import { OfrepRefusal, ofrepToken, quotaExceeded, readOfrepRequest } from '../ofrep/request'
import { type Resolution, resolve, valueOfOff } from '../ofrep/resolve'
import type { SdkOperation } from '../operation'
import { OfrepContext, OfrepFailure, OfrepResolution } from './ofrep-bulk'

export const ofrepFlagOperation: SdkOperation = {
  id: 'ofrep_evaluate_flag',
  methods: ['post'],
  paths: ['/ofrep/v1/evaluate/flags/:key/'],
  summary: 'Evaluate one flag (OpenFeature)',
  description:
    'The OpenFeature remote evaluation protocol, with the project token as bearer or in `X-API-Key`.',
  security: 'projectToken',
  params: z.object({ key: z.string() }),
  body: OfrepContext,
  responses: {
    200: OfrepResolution,
    400: OfrepFailure,
    401: ErrorBody,
    404: OfrepFailure,
    413: ErrorBody,
    415: ErrorBody,
    429: ErrorBody,
    503: ErrorBody,
  },
  async handle(context) {
    const { deps, request, params, projectOf } = context
    const key = params.key ?? ''
    const project = await projectOf(ofrepToken(request))
    try {
      const wanted = await readOfrepRequest(context, key)
      const loaded = await deps.snapshots.load(project.id)
      const flag = loaded?.compiled.byKey.get(key)
      if (!loaded || !flag) return answer(notFound(key))
      if (isLimited(loaded)) throw quotaExceeded()
      const evaluation = await evaluateFlags(deps, loaded, wanted)
      const result = evaluation.flags.get(key)
      if (result) return answer(resolve(key, result, evaluation, loaded))
      // It exists, and is off for everybody, or not meant for where this caller runs.
      const isOff = !flag.definition.active || flag.definition.archived
      return answer(isOff ? { key, ...valueOfOff(flag), reason: 'DISABLED', metadata: {} } : notFound(key))
    } catch (error) {
      if (!(error instanceof OfrepRefusal)) throw error
      return Response.json({ key, errorCode: error.code, errorDetails: error.message }, { status: 400 })
    }
  },
}

const notFound = (key: string): Resolution => ({
  key,
  errorCode: 'FLAG_NOT_FOUND',
  errorDetails: `There is no flag "${key}" for this caller.`,
})

/** A failed resolution is an error of the protocol: 404 for a flag that is not there, 400 for one that cannot be evaluated. */
function answer(resolution: Resolution): Response {
  if (!('errorCode' in resolution)) return Response.json(resolution)
  return Response.json(resolution, { status: resolution.errorCode === 'FLAG_NOT_FOUND' ? 404 : 400 })
}
