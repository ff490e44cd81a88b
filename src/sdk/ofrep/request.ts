import { ApiError } from '../../errors'
import { deviceIdOf } from '../../evaluation/property-maps'
import { isObject, type JsonObject } from '../../json'
import {
  anonDistinctIdIn,
  cutIdentifiers,
  type FlagsInput,
  groupsIn,
  runtimeOf,
  textsIn,
  wantsLocation,
} from '../flags-request'
import type { SdkContext } from '../operation'
import { bearerOf } from '../project-token'

/** A 400 error in the format of the protocol. */
export class OfrepError extends Error {
  override readonly name = 'OfrepError'
  readonly code: 'PARSE_ERROR' | 'INVALID_CONTEXT' | 'TARGETING_KEY_MISSING'

  constructor(code: OfrepError['code'], message: string) {
    super(message)
    this.code = code
  }
}

/** The time after which a client may retry. Snapshots are at most this stale. */
const QUOTA_RETRY_S = 60

/** The 429 error, because the protocol has no error code for an exhausted quota. */
export const quotaExceeded = () =>
  new ApiError({
    status: 429,
    type: 'throttled_error',
    code: 'quota_limited',
    detail: 'The project has used up its flag evaluations.',
    headers: { 'Retry-After': String(QUOTA_RETRY_S) },
  })

export const ofrepToken = ({ headers }: Request): string | null =>
  bearerOf(headers) ?? headers.get('X-API-Key')

/**
 * Parses a context. `targetingKey` is the distinct id. Fields other than `groups`, `evaluation_runtime`, `evaluation_contexts` and
 * `geoip_disable` are properties of the person.
 * @throws OfrepError
 */
export async function parseOfrepRequest(
  { request, readBody }: SdkContext,
  key: string | null,
): Promise<{ input: FlagsInput; isLocated: boolean }> {
  const body = await readBody().catch((error: unknown) => {
    throw error instanceof ApiError && error.status === 400
      ? new OfrepError('PARSE_ERROR', error.detail)
      : error
  })
  const context = isObject(body) ? body.context : undefined
  if (!isObject(context)) throw new OfrepError('INVALID_CONTEXT', 'context must be an object')
  const {
    targetingKey,
    groups,
    evaluation_runtime: runtime,
    evaluation_contexts: contexts,
    geoip_disable: _geoip,
    disable_geoip: _disabled,
    ...properties
  } = context
  if (typeof targetingKey !== 'string' || targetingKey === '') {
    throw new OfrepError('TARGETING_KEY_MISSING', 'context.targetingKey must be a non-empty string')
  }
  const personProperties = properties as JsonObject
  const input = {
    ...cutIdentifiers({
      distinctId: targetingKey,
      anonDistinctId: anonDistinctIdIn({}, personProperties),
      deviceId: deviceIdOf(undefined, personProperties),
    }),
    personProperties,
    groups: fieldOf(() => groupsIn({ groups: groups ?? null })),
    groupProperties: {},
    flagKeys: key === null ? null : [key],
    runtime: runtimeOf(runtime, request.headers),
    evaluationContexts:
      fieldOf(() => textsIn({ evaluation_contexts: contexts ?? null }, 'evaluation_contexts')) ?? new Set(),
    disabled: false,
  }
  return { input, isLocated: fieldOf(() => wantsLocation(context)) }
}

/** @throws OfrepError for a field of the context that cannot be read. */
function fieldOf<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw error instanceof ApiError
      ? new OfrepError('INVALID_CONTEXT', `context.${error.attr?.replaceAll('__', '.')}: ${error.detail}`)
      : error
  }
}
