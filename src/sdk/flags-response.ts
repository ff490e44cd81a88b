// Responses of `/flags` and `/decide` by version (reference/flags-evaluation.md §8.2–8.4).
import { describeReason } from '../evaluation/explain/reasons'
import type { FlagResult } from '../evaluation/results'
import type { LoadedSnapshot } from '../snapshots/compiled-snapshot'
import { failureCode, type SdkEvaluation } from './evaluate-flags'

export type Shape = 'detailed' | 'legacy' | 'enabled map' | 'enabled list'

export interface Envelope {
  requestId: string
  /** Epoch milliseconds. */
  evaluatedAt: number
}

/** `/decide` is the legacy endpoint; its versions count differently. */
export const isDecide = (path: string): boolean => /^\/decide\/?$/.test(path)

export function shapeOf(path: string, version: string | null, hasConfig: boolean): Shape {
  const number = /^\d+$/.test(version ?? '') ? Number(version) : 1
  if (!isDecide(path)) {
    if (version === null) return hasConfig ? 'legacy' : 'detailed'
    return number >= 2 ? 'detailed' : 'legacy'
  }
  if (number >= 4) return 'detailed'
  if (number === 3) return 'legacy'
  return number === 2 ? 'enabled map' : 'enabled list'
}

export const renderFlags = (
  shape: Shape,
  evaluation: SdkEvaluation,
  loaded: LoadedSnapshot,
  envelope: Envelope,
): object => ({
  errorsWhileComputingFlags: evaluation.errorsWhileComputingFlags,
  ...resultsIn(shape, evaluation, loaded),
  ...envelope,
})

function resultsIn(shape: Shape, evaluation: SdkEvaluation, loaded: LoadedSnapshot): object {
  const results = [...evaluation.flags]
  if (shape === 'detailed') {
    const records = results.map(([key, result]) => [key, recordOf(key, result, evaluation, loaded)])
    return { flags: Object.fromEntries(records) }
  }
  const values = results.map(
    ([key, result]) => [key, isFailed(key, result, evaluation) ? false : result.value] as const,
  )
  switch (shape) {
    case 'legacy': {
      const payloads = results
        .filter(([key, result]) => result.hasPayload && !isFailed(key, result, evaluation))
        .map(([key, { payload }]) => [key, payload])
      return { featureFlags: Object.fromEntries(values), featureFlagPayloads: Object.fromEntries(payloads) }
    }
    case 'enabled map':
      return { featureFlags: Object.fromEntries(values.filter(([, value]) => value)) }
    case 'enabled list':
      return { featureFlags: values.filter(([, value]) => value !== false).map(([key]) => key) }
  }
}

const NO_FLAGS: Readonly<Record<Shape, object>> = {
  detailed: { flags: {} },
  legacy: { featureFlags: {}, featureFlagPayloads: {} },
  'enabled map': { featureFlags: {} },
  'enabled list': { featureFlags: [] },
}

export const noFlags = (shape: Shape, envelope: Envelope, quotaLimited: readonly string[] = []): object => ({
  errorsWhileComputingFlags: false,
  ...NO_FLAGS[shape],
  ...(quotaLimited.length > 0 ? { quotaLimited } : {}),
  ...envelope,
})

const isFailed = (key: string, result: FlagResult, { unavailable }: SdkEvaluation) =>
  result.failed || unavailable.has(key)

function recordOf(key: string, result: FlagResult, evaluation: SdkEvaluation, { compiled }: LoadedSnapshot) {
  const definition = compiled.byKey.get(key)!.definition
  const failed = isFailed(key, result, evaluation)
  const description = failed ? null : describeReason(result)
  return {
    key,
    enabled: !failed && result.enabled,
    variant: failed ? null : result.variant,
    ...(failed ? { failed: true } : {}),
    reason: {
      code: failureCode(key, result, evaluation),
      condition_index: failed ? null : result.reason.condition_index,
      ...(description === null ? {} : { description }),
    },
    metadata: {
      id: definition.id,
      version: definition.version ?? 0,
      description: null,
      payload: failed ? null : result.payload,
      has_experiment: definition.has_experiment,
    },
  }
}
