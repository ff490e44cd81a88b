import type { FeedDefinition } from '../../snapshots/definitions'
import { parseForResponse } from '../../http/body/exact-integers'
import type { CompiledFlag } from '../../evaluation/compile/compiled'
import type { FlagResult } from '../../evaluation/results'
import type { LoadedSnapshot } from '../../snapshots/compiled-snapshot'
import { reasonCodeOf, type SdkEvaluation } from '../evaluate-flags'

type Reason = 'TARGETING_MATCH' | 'SPLIT' | 'DEFAULT' | 'DISABLED' | 'STATIC'

export type Resolution =
  | {
      key: string
      /** The value. Without one, the application uses its default. */
      value?: unknown
      variant?: string
      reason: Reason
      metadata: Record<string, string | number | boolean>
    }
  | { key: string; errorCode: 'GENERAL' | 'FLAG_NOT_FOUND'; errorDetails: string }

/**
 * Resolves a flag. A remote configuration has its payload, a multivariate flag its variant, and others a boolean. A flag that is not
 * boolean has no value while it is off: false would be of the wrong type, so that the application uses its default.
 */
export function resolve(
  key: string,
  result: FlagResult,
  evaluation: SdkEvaluation,
  { compiled }: LoadedSnapshot,
): Resolution {
  if (result.failed || evaluation.unavailable.has(key)) {
    return {
      key,
      errorCode: 'GENERAL',
      errorDetails: `The flag could not be evaluated: ${reasonCodeOf(result, evaluation.unavailable.has(key))}`,
    }
  }
  const flag = compiled.byKey.get(key)!
  const definition = flag.definition
  const isConfig = definition.is_remote_configuration && result.hasPayload
  return {
    key,
    ...(isOn(result) ? { value: isConfig ? parsed(result.payload) : result.value } : valueOfOff(flag)),
    ...(result.variant === null || !isOn(result) ? {} : { variant: result.variant }),
    reason: reasonOf(result, flag),
    metadata: {
      reason: result.reason.code,
      flagId: definition.id,
      version: definition.version ?? 0,
      ...(result.hasPayload && typeof result.payload === 'string' ? { payload: result.payload } : {}),
    },
  }
}

/** Whether a flag is on. A flag in a holdout counts as off, because `holdout-1` is not a value for an application. */
const isOn = ({ enabled, reason }: FlagResult): boolean =>
  enabled && reason.code !== 'holdout_condition_value'

const valueOfOff = ({ definition, boundaries }: CompiledFlag<FeedDefinition>): { value?: false } =>
  definition.is_remote_configuration || boundaries.length > 0 ? {} : { value: false }

function reasonOf({ reason, enabled }: FlagResult, { boundaries, conditions }: CompiledFlag): Reason {
  switch (reason.code) {
    case 'condition_match':
    case 'super_condition_value':
      return enabled && (boundaries.length > 0 || isPartial(conditions, reason.condition_index))
        ? 'SPLIT'
        : 'TARGETING_MATCH'
    case 'holdout_condition_value':
    case 'out_of_rollout_bound':
      return 'SPLIT'
    case 'flag_disabled':
      return 'DISABLED'
    default:
      return 'DEFAULT'
  }
}

const isPartial = (conditions: CompiledFlag['conditions'], index: number | null): boolean =>
  conditions.some((condition) => condition.index === index && condition.percentage < 100)

function parsed(payload: unknown): unknown {
  if (typeof payload !== 'string') return payload
  try {
    return parseForResponse(payload)
  } catch {
    return payload
  }
}
