// What the evaluator's tests share: short definitions of flags, cohorts and subjects.

import { compile } from '../../src/evaluation/compile/compile'
import type { Subject } from '../../src/evaluation/context'
import type {
  CohortDefinition,
  FlagDefinition,
  FlagSet,
  MatchingVersion,
} from '../../src/evaluation/compile/definitions'
import { evaluate, type EvaluationOptions } from '../../src/evaluation/evaluate'
import type { FlagResult } from '../../src/evaluation/results'
import { enginesReady, requestEngines } from '../../src/evaluation/regex/load-engines'
import type { JsonObject, JsonValue } from '../../src/json'

export const NOW = Date.parse('2026-03-31T12:34:56.789Z')

/** Loads all engines of regular expressions, as loading a document loads those of its patterns. */
export async function loadEngines(): Promise<void> {
  requestEngines('(?=a)')
  await enginesReady()
}

/** An active flag with these filters; ids follow from nothing, so give one where another flag refers to it. */
export const flag = (key: string, filters: unknown, rest: Partial<FlagDefinition> = {}): FlagDefinition => ({
  id: 1,
  key,
  active: true,
  version: 1,
  filters,
  ...rest,
})

/** One condition set with these properties, at 100% unless told otherwise. */
export const group = (properties: readonly JsonValue[], rest: JsonObject = {}): JsonObject => ({
  properties,
  rollout_percentage: 100,
  ...rest,
})

export const person = (key: string, operator: string, value?: JsonValue): JsonObject => ({
  key,
  type: 'person',
  operator,
  ...(value === undefined ? {} : { value }),
})

export const flagSet = (
  flags: readonly FlagDefinition[],
  rest: Partial<Omit<FlagSet, 'flags'>> = {},
): FlagSet => ({ flags, cohorts: [], group_type_mapping: {}, property_matching_version: 1, ...rest })

export const cohort = (id: number, properties: JsonValue): CohortDefinition => ({
  id,
  is_static: false,
  filters: { properties },
})

export const subject = (distinctId: string, rest: Partial<Subject> = {}): Subject => ({
  distinctId,
  personProperties: {},
  ...rest,
})

export const AT_NOW: EvaluationOptions = { now: NOW, timezone: 'UTC' }

/** Compiles a set and evaluates it for one subject. */
export const evaluateSet = (
  set: FlagSet,
  who: Subject,
  options: Partial<EvaluationOptions> = {},
): ReturnType<typeof evaluate> => evaluate(compile(set), who, { ...AT_NOW, ...options })

/** The result of one flag that stands alone. */
export function resultOf(
  definition: FlagDefinition,
  who: Subject,
  rest: Partial<Omit<FlagSet, 'flags'>> = {},
): FlagResult {
  const result = evaluateSet(flagSet([definition], rest), who).flags.get(definition.key)
  if (result === undefined) throw new Error(`${definition.key} was not evaluated`)
  return result
}

/** Whether one person filter matches a property map. */
export function matches(
  operator: string | undefined,
  value: JsonValue | undefined,
  properties: JsonObject,
  options: { version?: MatchingVersion; timezone?: string } = {},
): boolean {
  const filter = {
    key: 'p',
    type: 'person',
    ...(operator === undefined ? {} : { operator }),
    ...(value === undefined ? {} : { value }),
  }
  const set = flagSet([flag('f', { groups: [group([filter])] })], {
    property_matching_version: options.version ?? 1,
  })
  const { flags } = evaluateSet(set, subject('u', { personProperties: properties }), {
    timezone: options.timezone ?? 'UTC',
  })
  return flags.get('f')?.enabled === true
}
