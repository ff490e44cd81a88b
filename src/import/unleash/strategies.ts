// Converts activation strategies of Unleash to condition sets, and variants. Pure.
import type { JsonObject, JsonValue } from '../../json'
import { canonicalJson } from '../fingerprint'
import type { Strategy, Variant } from './api'
import { type Mapped, mapConstraint, NoEqual, OF_CLIENTS } from './constraints'

export interface MappedSet {
  set: JsonObject
  changes: string[]
  /** Whether a share of people is drawn by a hash, which differs from Unleash's. */
  isDrawn: boolean
}

/** The id of a person, which decides here who is in a share. */
const OF_IDS = new Set(['default', 'userId'])

const OTHER_PEOPLE = 'the share stays, but it has other people: Unleash and Halyard draw them by another hash'

/**
 * @param segmentKeys keys of the cohorts of segments, by id.
 * @throws NoEqual.
 */
export function mapStrategy(
  strategy: Strategy,
  segmentKeys: ReadonlyMap<number, string>,
  now: Date,
): MappedSet {
  const { name, constraints, segments } = strategy
  const mapped = (constraints ?? []).map((constraint) => mapConstraint(constraint, now))
  const share = mapShare(strategy, now)
  const own = mapped.some(({ isNever }) => isNever) ? { ...share, rollout: 0 } : share
  const cohorts = (segments ?? []).map((id): JsonObject => {
    const key = segmentKeys.get(id)
    if (key === undefined) throw new NoEqual(`the segment ${id}, which does not exist`)
    return { key: 'id', type: 'cohort', operator: 'in', value: key }
  })
  const isDrawn = own.rollout > 0 && own.rollout < 100
  return {
    set: {
      properties: [...own.properties, ...mapped.flatMap(({ properties }) => properties), ...cohorts],
      rollout_percentage: own.rollout,
    },
    changes: [
      ...own.changes,
      ...mapped.flatMap(({ changes }) => changes),
      ...(isDrawn ? [`${name} ${own.rollout} %: ${OTHER_PEOPLE}`] : []),
    ],
    isDrawn,
  }
}

const EVERYBODY = { properties: [], changes: [], rollout: 100 }

/** Converts the parameters of a strategy, which select people in addition to its constraints. @throws NoEqual */
function mapShare({ name, parameters, featureName }: Strategy, now: Date): Mapped & { rollout: number } {
  const parameter = (key: string) => {
    const value = parameters?.[key]
    return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
  }
  switch (name) {
    case 'default':
      return EVERYBODY
    case 'flexibleRollout': {
      const rollout = percentage(parameter('rollout'))
      const stickiness = parameter('stickiness') || 'default'
      if (rollout > 0 && rollout < 100 && !OF_IDS.has(stickiness))
        throw new NoEqual(`a gradual rollout by ${stickiness}: a share is drawn by the id of a person here`)
      const group = parameter('groupId')
      // Unleash hashes the field, and no one without it is in any share.
      const isOfField = rollout === 100 && !OF_IDS.has(stickiness) && stickiness !== 'random'
      const isOfClient = isOfField && OF_CLIENTS.has(stickiness)
      const isShared = rollout > 0 && rollout < 100 && group !== '' && group !== featureName
      return {
        ...EVERYBODY,
        properties:
          isOfField && !isOfClient
            ? [{ key: stickiness, type: 'person', operator: 'is_set', value: 'is_set' }]
            : [],
        rollout,
        changes: [
          ...(isShared ? [`its group ${group} has no effect: each flag draws people by its own key`] : []),
          ...(isOfClient
            ? [`a rollout by ${stickiness} is for everybody here; in Unleash for who has one`]
            : []),
        ],
      }
    }
    case 'gradualRolloutUserId':
      return { ...EVERYBODY, rollout: percentage(parameter('percentage')) }
    case 'userWithId': {
      const ids = parameter('userIds')
        .split(',')
        .map((id) => id.trim())
        .filter(Boolean)
      if (ids.length === 0) return { ...EVERYBODY, rollout: 0 }
      return { ...mapConstraint({ contextName: 'userId', operator: 'IN', values: ids }, now), rollout: 100 }
    }
    default:
      throw new NoEqual(`the strategy ${name}`)
  }
}

function percentage(text: string): number {
  const number = Number(text || '0')
  if (!(number >= 0 && number <= 100)) throw new NoEqual(`a rollout of "${text}" %`)
  return number
}

export interface MappedVariants {
  multivariate: JsonObject | null
  payloads: JsonObject
  changes: string[]
}

/**
 * Variants of a flag: here, all its condition sets share them.
 * @param strategies those that are not disabled.
 * @param legacy variants of the feature in its environment, for strategies without their own.
 * @throws NoEqual.
 */
export function mapVariants(strategies: readonly Strategy[], legacy: readonly Variant[]): MappedVariants {
  const lists = strategies.map(({ variants }) => (variants && variants.length > 0 ? variants : legacy))
  const [first = legacy] = lists
  const text = canonicalJson(shape(first))
  // Strategies without variants of their own share a list: it is compared once.
  if ([...new Set(lists)].some((list) => canonicalJson(shape(list)) !== text))
    throw new NoEqual(
      'variants that differ between its strategies: those of a flag are the same in all condition sets here',
    )
  if (first.length === 0) return { multivariate: null, payloads: {}, changes: [] }
  // Nothing draws a single one.
  const drawn = first.length > 1 ? first : []
  const other = drawn.find(({ stickiness }) => stickiness && !OF_IDS.has(stickiness))
  if (other) throw new NoEqual(`variants by ${other.stickiness}: they are drawn by the id of a person here`)
  if (first.some(({ overrides }) => overrides && overrides.length > 0))
    throw new NoEqual('overrides of variants')
  const total = first.reduce((sum, { weight }) => sum + weight, 0)
  if (total === 0) throw new NoEqual('variants without weight: no one gets any')
  return {
    multivariate: {
      variants: first.map(({ name, weight }) => ({ key: name, rollout_percentage: (weight / total) * 100 })),
    },
    payloads: Object.fromEntries(
      first.flatMap(({ name, payload }) => (payload ? [[name, payloadOf(payload)]] : [])),
    ),
    changes: drawn.length > 0 ? [`variants: ${OTHER_PEOPLE}`] : [],
  }
}

const shape = (variants: readonly Variant[]): JsonValue =>
  variants.map(({ name, weight, payload, stickiness }) => ({
    name,
    weight,
    stickiness: stickiness ?? 'default',
    payload: payload ? { ...payload } : null,
  }))

/** Returns JSON text, which payloads are here. */
function payloadOf({ type, value }: { type: string; value: string }): string {
  if (type !== 'json' && type !== 'number') return JSON.stringify(value)
  try {
    JSON.parse(value)
    return value
  } catch {
    return JSON.stringify(value)
  }
}
