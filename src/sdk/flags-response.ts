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

export function renderFlags(
  shape: Shape,
  evaluation: SdkEvaluation,
  loaded: LoadedSnapshot,
  envelope: Envelope,
): object {
  const { errorsWhileComputingFlags } = evaluation
  const answers = [...evaluation.flags].map(([key, result]) => ({
    key,
    result,
    isOff: isFailed(key, result, evaluation),
  }))
  const valueOf = ({ result, isOff }: (typeof answers)[number]) => (isOff ? false : result.value)
  switch (shape) {
    case 'detailed':
      return {
        errorsWhileComputingFlags,
        flags: Object.fromEntries(
          answers.map(({ key, result }) => [key, recordOf(key, result, evaluation, loaded)]),
        ),
        ...envelope,
      }
    case 'legacy':
      return {
        errorsWhileComputingFlags,
        featureFlags: Object.fromEntries(answers.map((answer) => [answer.key, valueOf(answer)])),
        featureFlagPayloads: Object.fromEntries(
          answers
            .filter(({ result, isOff }) => result.hasPayload && !isOff)
            .map(({ key, result }) => [key, result.payload]),
        ),
        ...envelope,
      }
    case 'enabled map':
      return {
        errorsWhileComputingFlags,
        featureFlags: Object.fromEntries(
          answers.map((answer) => [answer.key, valueOf(answer)]).filter(([, on]) => on),
        ),
        ...envelope,
      }
    case 'enabled list':
      return {
        errorsWhileComputingFlags,
        featureFlags: answers.filter((answer) => valueOf(answer) !== false).map(({ key }) => key),
        ...envelope,
      }
  }
}

export const noFlags = (shape: Shape, envelope: Envelope, quotaLimited: readonly string[] = []): object => ({
  errorsWhileComputingFlags: false,
  ...(shape === 'detailed'
    ? { flags: {} }
    : shape === 'legacy'
      ? { featureFlags: {}, featureFlagPayloads: {} }
      : { featureFlags: shape === 'enabled map' ? {} : [] }),
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
