// What an OpenFeature provider sends: a context with a targeting key, from which a request for flags is made.
import { ApiError } from '../../errors'
import { deviceIdOf } from '../../evaluation/property-maps'
import { isObject, type JsonObject } from '../../json'
import { cutIdentifiers, type FlagsRequest, MAX_LIST_LENGTH, textsIn } from '../flags-request'
import type { SdkContext } from '../operation'
import { runtimeOf } from '../runtime'

/** A refusal in the protocol's own words. */
export class OfrepRefusal extends Error {
  override readonly name = 'OfrepRefusal'
  readonly code: 'PARSE_ERROR' | 'INVALID_CONTEXT' | 'TARGETING_KEY_MISSING'

  constructor(code: OfrepRefusal['code'], message: string) {
    super(message)
    this.code = code
  }
}

/** Seconds after which a lifted limit is seen everywhere. */
const QUOTA_RETRY_S = 60

/** 429: the protocol has no other way to say that a project has used up its evaluations. */
export const quotaExceeded = () =>
  new ApiError({
    status: 429,
    type: 'throttled_error',
    code: 'quota_limited',
    detail: 'The project has used up its flag evaluations.',
    headers: { 'Retry-After': String(QUOTA_RETRY_S) },
  })

/** The project token of a request: `Authorization: Bearer`, or `X-API-Key`. */
export function ofrepToken({ headers }: Request): string | null {
  const [scheme, value] = (headers.get('Authorization') ?? '').trim().split(/\s+/, 2)
  return scheme?.toLowerCase() === 'bearer' && value ? value : headers.get('X-API-Key')
}

/**
 * The request for flags that a context describes: the targeting key is the distinct id, `groups` names groups, `evaluation_runtime` and
 * `evaluation_contexts` say where the caller is, everything else is a property of the person.
 * @throws OfrepRefusal.
 */
export async function readOfrepRequest(
  { request, readBody }: SdkContext,
  key: string | null,
): Promise<FlagsRequest> {
  const body = await readBody().catch((error: unknown) => {
    throw error instanceof ApiError && error.status === 400
      ? new OfrepRefusal('PARSE_ERROR', error.detail)
      : error
  })
  const context = isObject(body) ? body.context : undefined
  if (!isObject(context)) throw new OfrepRefusal('INVALID_CONTEXT', 'context must be an object')
  const {
    targetingKey,
    groups,
    evaluation_runtime: runtime,
    evaluation_contexts: contexts,
    ...properties
  } = context
  if (typeof targetingKey !== 'string' || targetingKey === '') {
    throw new OfrepRefusal('TARGETING_KEY_MISSING', 'context.targetingKey must be a non-empty string')
  }
  if (Array.isArray(contexts) && contexts.length > MAX_LIST_LENGTH) {
    throw new OfrepRefusal(
      'INVALID_CONTEXT',
      `context.evaluation_contexts may have at most ${MAX_LIST_LENGTH} elements`,
    )
  }
  const personProperties = properties as JsonObject
  return {
    ...cutIdentifiers({
      distinctId: targetingKey,
      anonDistinctId: null,
      deviceId: deviceIdOf(undefined, personProperties),
    }),
    personProperties,
    groups: isObject(groups) ? groups : {},
    groupProperties: {},
    flagKeys: key === null ? null : [key],
    runtime: runtimeOf(runtime, request.headers),
    evaluationContexts: textsIn(contexts),
    disabled: false,
  }
}
