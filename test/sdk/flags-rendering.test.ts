// The joined text of a response is that of the whole response rendered as one object.
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { describeReason } from '../../src/evaluation/explain/reasons'
import { EvaluationContext } from '../../src/evaluation/context'
import { evaluateIn, resultsByKey, selectFlags } from '../../src/evaluation/evaluate'
import type { FlagResult } from '../../src/evaluation/results'
import type { JsonObject } from '../../src/json'
import { reasonCodeOf, type SdkEvaluation } from '../../src/sdk/evaluate-flags'
import { renderFlags, type Shape } from '../../src/sdk/flags-response'
import { compileSnapshot, type LoadedSnapshot } from '../../src/snapshots/compiled-snapshot'
import type { FeedDefinition } from '../../src/snapshots/definitions'

const SHAPES: readonly Shape[] = ['detailed', 'legacy', 'enabled map', 'enabled list']
const ENVELOPE = { requestId: '82084b1a-c3a7-4a11-8030-215b32c7945d', evaluatedAt: 1_775_120_707_530 }
const AT = { now: Date.UTC(2026, 0, 1), timezone: 'UTC' }

const payload = fc.oneof(fc.string(), fc.jsonValue(), fc.constant('x'.repeat(2_000)))
const condition = fc.record(
  {
    properties: fc.constantFrom(
      [],
      [{ key: 'plan', type: 'person', operator: 'exact', value: 'paid' }],
      [{ key: 'plan', type: 'group', group_type_index: 0, operator: 'exact', value: 'paid' }],
      [{ key: '1', type: 'flag', operator: 'flag_evaluates_to', value: true }],
      [{ key: 'id', type: 'cohort', value: 404 }],
    ),
    rollout_percentage: fc.constantFrom(0, 50, 100),
    variant: fc.constantFrom(null, 'control', 'ünï"code', 'missing'),
    aggregation_group_type_index: fc.constantFrom(null, 0, 7),
  },
  { requiredKeys: [] },
)
const filters = fc.oneof(
  {
    weight: 9,
    arbitrary: fc.record(
      {
        groups: fc.array(condition, { maxLength: 3 }),
        multivariate: fc.constantFrom(null, {
          variants: [
            { key: 'control', rollout_percentage: 40 },
            { key: 'ünï"code', rollout_percentage: 40 },
          ],
        }),
        payloads: fc.dictionary(fc.constantFrom('true', 'control', 'ünï"code'), payload),
        holdout: fc.constantFrom(null, { id: 3, exclusion_percentage: 50 }),
        feature_enrollment: fc.boolean(),
        early_exit: fc.boolean(),
      },
      { requiredKeys: [] },
    ),
  },
  { weight: 1, arbitrary: fc.constant('broken') },
)
const definition = fc.record({
  // Keys that objects order or inherit differently from others, too.
  key: fc.oneof(fc.string(), fc.constantFrom('1', '42', '007', '__proto__', 'constructor', 'a-flag')),
  filters,
  active: fc.constantFrom(true, true, true, false),
  archived: fc.constantFrom(false, false, true),
  version: fc.constantFrom(null, 1, 12),
  has_experiment: fc.boolean(),
  has_encrypted_payloads: fc.constantFrom(false, false, true),
  bucketing_identifier: fc.constantFrom('distinct_id', 'device_id'),
  ensure_experience_continuity: fc.boolean(),
})

const project = fc.uniqueArray(definition, { selector: ({ key }) => key, maxLength: 8 }).map((definitions) =>
  compileSnapshot({
    project_id: 1,
    generation: 1,
    timezone: 'UTC',
    quota_limited: [],
    group_type_mapping: { 0: 'company' },
    property_matching_version: 1,
    cohorts: [],
    flags: definitions.map((each, index): FeedDefinition => ({
      id: index + 1,
      name: '',
      is_remote_configuration: false,
      deleted: false,
      evaluation_runtime: 'all',
      evaluation_contexts: [],
      ...each,
    })),
  }),
)

const subject = fc.record({
  distinctId: fc.string(),
  personProperties: fc.constantFrom(
    {},
    { plan: 'paid' },
    { plan: 'free', '$feature_enrollment/a-flag': true },
  ),
  groups: fc.constantFrom({}, { company: 'acme' }),
})

function evaluationOf(
  { compiled }: LoadedSnapshot,
  who: { distinctId: string; personProperties: JsonObject; groups: object },
  unavailable: readonly string[],
): SdkEvaluation {
  const context = new EvaluationContext(compiled, { ...who, groups: { ...who.groups } }, AT)
  const { byId, errorsWhileComputingFlags } = evaluateIn(context, selectFlags(compiled, AT))
  return {
    outcomes: byId,
    unavailable: new Set(unavailable),
    errorsWhileComputingFlags: errorsWhileComputingFlags || unavailable.length > 0,
    byKey: () => resultsByKey(compiled, byId, AT),
  }
}

/** The response as one object. */
function plainResponse(
  shape: Shape,
  evaluation: SdkEvaluation,
  loaded: LoadedSnapshot,
  extra: object,
): object {
  return {
    errorsWhileComputingFlags: evaluation.errorsWhileComputingFlags,
    ...plainResults(shape, evaluation, loaded),
    ...ENVELOPE,
    ...extra,
  }
}

function plainResults(shape: Shape, evaluation: SdkEvaluation, loaded: LoadedSnapshot): object {
  const results = [...evaluation.byKey()]
  const isFailed = (key: string, result: FlagResult) => result.failed || evaluation.unavailable.has(key)
  const values = results.map(([key, result]) => [key, isFailed(key, result) ? false : result.value] as const)
  switch (shape) {
    case 'detailed':
      return {
        flags: Object.fromEntries(
          results.map(([key, result]) => {
            const { id, version, has_experiment } = loaded.compiled.byKey.get(key)!.definition
            const failed = isFailed(key, result)
            const description = failed ? null : describeReason(result)
            return [
              key,
              {
                key,
                enabled: !failed && result.enabled,
                variant: failed ? null : result.variant,
                ...(failed ? { failed: true } : {}),
                reason: {
                  code: reasonCodeOf(result, evaluation.unavailable.has(key)),
                  condition_index: failed ? null : result.reason.condition_index,
                  ...(description === null ? {} : { description }),
                },
                metadata: {
                  id,
                  version: version ?? 0,
                  description: null,
                  payload: failed ? null : result.payload,
                  has_experiment,
                },
              },
            ]
          }),
        ),
      }
    case 'legacy':
      return {
        featureFlags: Object.fromEntries(values),
        featureFlagPayloads: Object.fromEntries(
          results
            .filter(([key, result]) => result.hasPayload && !isFailed(key, result))
            .map(([key, { payload: own }]) => [key, own]),
        ),
      }
    case 'enabled map':
      return { featureFlags: Object.fromEntries(values.filter(([, value]) => value)) }
    case 'enabled list':
      return { featureFlags: values.filter(([, value]) => value !== false).map(([key]) => key) }
  }
}

describe('the text of a response', () => {
  it.each(SHAPES)('equals the plain rendering: %s', (shape) => {
    fc.assert(
      fc.property(
        project,
        fc.array(subject, { minLength: 1, maxLength: 3 }),
        fc.array(fc.boolean(), { maxLength: 8 }),
        fc.constantFrom({}, { supportedCompression: ['gzip'], siteApps: [] }),
        (loaded, subjects, isUnavailable, extra) => {
          const unavailable = loaded.compiled.flags
            .filter((_, index) => isUnavailable[index])
            .map(({ key }) => key)
          // Several times, because the parts of flags are cached.
          for (const who of [...subjects, ...subjects]) {
            for (const absent of [[], unavailable]) {
              const evaluation = evaluationOf(loaded, who, absent)
              expect(renderFlags(shape, evaluation, loaded, ENVELOPE, extra)).toBe(
                JSON.stringify(plainResponse(shape, evaluation, loaded, extra)),
              )
            }
          }
        },
      ),
      { numRuns: 300 },
    )
  })
})
