// Responses of `/flags` and `/decide` by version: docs/reference/evaluation.md#forms-of-the-response.
import { describeReason } from '../evaluation/explain/reasons'
import type { CompiledFlag, CompiledFlagSet } from '../evaluation/compile/compiled'
import { FLAG_DISABLED, type FlagResult } from '../evaluation/results'
import type { LoadedSnapshot } from '../snapshots/compiled-snapshot'
import type { FeedDefinition } from '../snapshots/definitions'
import { reasonCodeOf, type SdkEvaluation } from './evaluate-flags'

export type Shape = 'detailed' | 'legacy' | 'enabled map' | 'enabled list'

export interface Envelope {
  requestId: string
  /** The time of the evaluation, in epoch milliseconds. */
  evaluatedAt: number
}

/** Whether the path is that of the legacy endpoint, which counts its versions differently. */
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

/**
 * Renders results as JSON text. The text of a flag is rendered once a result, because subjects share results.
 * @param extra fields at the end of the response
 */
export function renderFlags(
  shape: Shape,
  { outcomes, unavailable, errorsWhileComputingFlags }: SdkEvaluation,
  { compiled }: LoadedSnapshot,
  { requestId, evaluatedAt }: Envelope,
  extra: object = {},
): string {
  const results: string[] = []
  const payloads: string[] = []
  const { asMembers, asList } = renderedFlags(compiled)
  for (const each of shape === 'enabled list' ? asList : asMembers) {
    const { flag } = each
    const result = outcomes.get(flag.definition.id)
    if (result === undefined || result === FLAG_DISABLED) continue
    const isUnavailable = unavailable.size > 0 && unavailable.has(flag.key)
    const { member, payload } = isUnavailable
      ? membersOf(flag, result, shape, true)
      : each.membersOf(result, shape)
    if (member !== '') results.push(member)
    if (payload !== '') payloads.push(payload)
  }
  const tail = JSON.stringify({ requestId, evaluatedAt, ...extra }).slice(1)
  return `{"errorsWhileComputingFlags":${errorsWhileComputingFlags},${fieldsOf(shape, results.join(','), payloads)},${tail}`
}

function fieldsOf(shape: Shape, results: string, payloads: readonly string[]): string {
  switch (shape) {
    case 'detailed':
      return `"flags":{${results}}`
    case 'legacy':
      return `"featureFlags":{${results}},"featureFlagPayloads":{${payloads.join(',')}}`
    case 'enabled map':
      return `"featureFlags":{${results}}`
    case 'enabled list':
      return `"featureFlags":[${results}]`
  }
}

/** Members of the response as JSON text. A text is empty where a flag has no such member. */
interface RenderedMembers {
  readonly member: string
  readonly payload: string
}

/** Maximum UTF-16 units of text that are cached for a flag. `HEAP_PER_FLAG` in snapshots/render.ts counts them. */
const MAX_CACHED_UNITS = 1_500

class RenderedFlag {
  readonly flag: CompiledFlag<FeedDefinition>
  readonly #members = new Map<Shape, Map<FlagResult, RenderedMembers>>()
  #units = 0

  constructor(flag: CompiledFlag<FeedDefinition>) {
    this.flag = flag
  }

  membersOf(result: FlagResult, shape: Shape): RenderedMembers {
    const known = this.#members.get(shape)?.get(result)
    if (known !== undefined) return known
    const members = membersOf(this.flag, result, shape, false)
    const units = members.member.length + members.payload.length
    if (this.#units + units > MAX_CACHED_UNITS) return members
    this.#units += units
    const ofShape = this.#members.get(shape)
    if (ofShape) ofShape.set(result, members)
    else this.#members.set(shape, new Map([[result, members]]))
    return members
  }
}

/**
 * The flags of a set in the order of lists, which is that of the definitions, and in the order in which JavaScript has an object's keys.
 */
interface RenderedSet {
  readonly asList: readonly RenderedFlag[]
  readonly asMembers: readonly RenderedFlag[]
}

const rendered = new WeakMap<CompiledFlag, RenderedFlag>()
const renderedSets = new WeakMap<CompiledFlagSet, RenderedSet>()

function renderedFlags(set: CompiledFlagSet<FeedDefinition>): RenderedSet {
  const known = renderedSets.get(set)
  if (known !== undefined) return known
  const made = {
    asList: [...set.byKey.values()].map(renderedOnce),
    asMembers: Object.values(Object.fromEntries(set.byKey)).map(renderedOnce),
  }
  renderedSets.set(set, made)
  return made
}

/** Returns the rendered form of a flag. Snapshots that share a flag share this form. */
function renderedOnce(flag: CompiledFlag<FeedDefinition>): RenderedFlag {
  const known = rendered.get(flag) ?? new RenderedFlag(flag)
  rendered.set(flag, known)
  return known
}

/** @param isUnavailable whether the flag needs storage while storage is unavailable */
function membersOf(
  flag: CompiledFlag<FeedDefinition>,
  result: FlagResult,
  shape: Shape,
  isUnavailable: boolean,
): RenderedMembers {
  const failed = result.failed || isUnavailable
  const key = JSON.stringify(flag.key)
  const value = failed ? false : result.value
  switch (shape) {
    case 'detailed':
      return { member: `${key}:${JSON.stringify(recordOf(flag, result, isUnavailable))}`, payload: '' }
    case 'legacy':
      return {
        member: `${key}:${JSON.stringify(value)}`,
        payload: result.hasPayload && !failed ? `${key}:${JSON.stringify(result.payload)}` : '',
      }
    case 'enabled map':
      return { member: value ? `${key}:${JSON.stringify(value)}` : '', payload: '' }
    case 'enabled list':
      return { member: value === false ? '' : key, payload: '' }
  }
}

function recordOf(
  { key, definition }: CompiledFlag<FeedDefinition>,
  result: FlagResult,
  isUnavailable: boolean,
) {
  const failed = result.failed || isUnavailable
  const description = failed ? null : describeReason(result)
  return {
    key,
    enabled: !failed && result.enabled,
    variant: failed ? null : result.variant,
    ...(failed ? { failed: true } : {}),
    reason: {
      code: reasonCodeOf(result, isUnavailable),
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
