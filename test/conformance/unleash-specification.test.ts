// The client specification of Unleash, evaluated by the flags that an import makes of its features.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { compile } from '../../src/evaluation/compile/compile'
import { evaluate } from '../../src/evaluation/evaluate'
import { personPropertyMap } from '../../src/evaluation/property-maps'
import { withEngines } from '../../src/evaluation/regex/load-engines'
import type { Item } from '../../src/import/model'
import { mapReferences } from '../../src/import/references'
import { FeatureExport, Segments } from '../../src/import/unleash/api'
import { flagItems, segmentItems } from '../../src/import/unleash/items'
import { keysOfFeatures } from '../../src/import/unleash/keys'
import type { JsonObject, JsonValue } from '../../src/json'

type Json = Record<string, unknown>

interface Feature extends Json {
  name: string
  enabled: boolean
  strategies: Json[]
  variants?: Json[]
  dependencies?: Json[]
}

interface Case {
  description: string
  toggleName: string
  context: Json & { userId?: string; properties?: JsonObject }
  expectedResult: boolean | { name: string; feature_enabled?: boolean; enabled: boolean }
}

interface Specification {
  name: string
  state: { features: Feature[]; segments?: Json[] }
  tests?: Case[]
  variantTests?: Case[]
}

const folder = join(
  dirname(createRequire(import.meta.url).resolve('@unleash/client-specification')),
  'specifications',
)
const read = <T>(file: string) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as T
/** The last two are about another protocol than features and contexts. */
const FILES = read<string[]>('index.json').filter((file) => !/delta-api/.test(file))
const NOW = new Date('2026-03-10T12:00:00Z')

/** Features as the admin API exports them. */
function itemsOf({ state }: Specification): { items: Item[]; keys: ReadonlyMap<string, string> } {
  const exported = FeatureExport.parse({
    features: state.features.map(({ name, description }) => ({ name, description })),
    featureStrategies: state.features.flatMap(({ name, strategies }) =>
      strategies.map((strategy) => ({ ...strategy, featureName: name })),
    ),
    featureEnvironments: state.features.map(({ name, enabled, variants }) => ({
      featureName: name,
      enabled,
      variants: variants ?? [],
    })),
    dependencies: state.features.flatMap(({ name, dependencies }) =>
      dependencies?.length ? [{ feature: name, dependencies }] : [],
    ),
  })
  const { segments } = Segments.parse({
    segments: (state.segments ?? []).map((segment) => ({
      name: `segment ${String(segment.id)}`,
      ...segment,
    })),
  })
  const items = [
    ...segmentItems(segments, exported, NOW),
    ...flagItems(exported, segments, 'the specification', NOW),
  ]
  return { items, keys: keysOfFeatures(exported) }
}

/** Whether each flag is on, or its variant. */
async function evaluateItems(
  items: readonly Item[],
  { userId = 'somebody', properties, ...fields }: Case['context'],
) {
  const idOf = (kind: Item['kind']) => (key: JsonValue) =>
    items.findIndex((item) => item.kind === kind && item.key === key) + 1
  const references = {
    cohort: idOf('cohort'),
    flag: (key: JsonValue) => String(idOf('flag')(key)),
    groupType: (index: JsonValue) => index,
    variable: (name: JsonValue) => name,
  }
  const filtersOf = ({ value }: Item) =>
    mapReferences((value.filters ?? {}) as JsonObject, references as never)
  const compiled = compile({
    flags: items
      .filter(({ kind }) => kind === 'flag')
      .map((item) => ({
        id: idOf('flag')(item.key),
        key: item.key,
        active: item.value.active === true,
        filters: filtersOf(item),
      })),
    cohorts: items
      .filter(({ kind }) => kind === 'cohort')
      .map((item) => ({ id: idOf('cohort')(item.key), is_static: false, filters: filtersOf(item) })),
    group_type_mapping: {},
    property_matching_version: 2,
  })
  const set = await withEngines(compiled)
  const sent = { ...(fields as JsonObject), ...properties }
  const person = personPropertyMap({}, sent, userId)
  const subject = { distinctId: userId, personProperties: person }
  return evaluate(set, subject, { now: NOW.getTime(), timezone: 'UTC', includeDisabled: true }).flags
}

/** Changes that an import reports of a flag which may then give another result. */
const REPORTED = [
  /: the share stays, but it has other people: /,
  /^DATE_(AFTER|BEFORE) .* has passed: /,
  /: versions like v2\.0\.0 and 2\.0 are compared here as 2\.0\.0; Unleash never matches them\./,
  /: look-around and back-references match here; Unleash rejects such a pattern$/,
  /^its parent .* has a parent too: both count here, and Unleash never enables it$/,
]

/** Cases with another result that no import can report, by their description. */
const OTHER_MODELS: Readonly<Record<string, string>> = {
  'Feature.A3 should be disabled when no user on context': 'a caller always has a distinct id here',
}

interface Outcome {
  same: number
  /** Cases with another result without a reason of REPORTED. */
  silent: string[]
  /** Why features are not imported. */
  problems: Set<string>
}

async function run(specification: Specification): Promise<Outcome> {
  const { items, keys } = itemsOf(specification)
  const outcome: Outcome = { same: 0, silent: [], problems: new Set() }
  for (const test of [...(specification.tests ?? []), ...(specification.variantTests ?? [])]) {
    const { expectedResult: expected, description } = test
    const item = items.find(({ kind, key }) => kind === 'flag' && key === keys.get(test.toggleName))
    if (item?.problem) {
      outcome.problems.add(item.problem)
      continue
    }
    // Some cases are about features that do not exist.
    const result = item && (await evaluateItems(items, test.context)).get(item.key)
    const isOn = result?.enabled ?? false
    const isSame =
      typeof expected === 'boolean'
        ? isOn === expected
        : isOn === (expected.feature_enabled ?? expected.enabled) &&
          (result?.variant ?? 'disabled') === expected.name
    if (isSame) outcome.same += 1
    const isReported = item?.changes.some((change) => REPORTED.some((reason) => reason.test(change)))
    if (!isSame && !isReported && !(description in OTHER_MODELS)) outcome.silent.push(description)
  }
  return outcome
}

describe('the client specification of Unleash', () => {
  it('gives the same results here, or others for a reason that the import reports', async () => {
    const outcomes = await Promise.all(FILES.map((file) => run(read<Specification>(file))))
    expect(outcomes.flatMap(({ silent }) => silent)).toEqual([])
    expect(outcomes.reduce((total, { same }) => total + same, 0)).toBeGreaterThan(160)
    const problems = new Set(outcomes.flatMap((outcome) => [...outcome.problems]))
    expect([...problems].map((problem) => problem.replace('no equal here for ', '')).toSorted()).toEqual([
      'a constraint NOT_A_VALID_OPERATOR',
      'a constraint on environment: conditions here are on people, not on clients or the time',
      'a constraint on remoteAddress: conditions here are on people, not on clients or the time',
      'a dependency on several variants of parent.with.variant',
      'a gradual rollout by customField: a share is drawn by the id of a person here',
      'a gradual rollout by sessionId: a share is drawn by the id of a person here',
      'an inverted constraint NUM_EQ: there is no operator for different numbers',
      'overrides of variants',
      'the segment 404, which does not exist',
      'the strategy gradualRolloutRandom',
      'the strategy gradualRolloutSessionId',
      'the strategy remoteAddress',
      'variants by customField: they are drawn by the id of a person here',
    ])
  })
})

const rollout = (stickiness: string, share = '100'): Json => ({
  name: 'flexibleRollout',
  parameters: { rollout: share, stickiness, groupId: 'any' },
})

/** What a feature with these strategies becomes. */
const imported = (strategies: Json[], variants: Json[] = []): Item =>
  itemsOf({ name: '', state: { features: [{ name: 'any', enabled: true, strategies, variants }] } }).items.at(
    -1,
  )!

describe('features that the specification does not have', () => {
  it('have a rollout of 100 % by a field for those who have it', async () => {
    const item = imported([rollout('company')])
    expect([item.problem, item.changes]).toEqual([null, []])
    const isOn = async (properties: JsonObject) =>
      (await evaluateItems([item], { properties })).get('any')?.enabled
    expect([await isOn({}), await isOn({ company: 'acme' })]).toEqual([false, true])
  })

  it.each([
    ['random', []],
    ['userId', []],
    ['default', []],
    ['sessionId', ['a rollout by sessionId is for everybody here; in Unleash for who has one']],
  ])('have a rollout of 100 %% by %s for everybody', async (stickiness, changes) => {
    const item = imported([rollout(stickiness)])
    expect([item.problem, item.changes]).toEqual([null, changes])
    expect((await evaluateItems([item], {})).get('any')?.enabled).toBe(true)
  })

  it('do not come over with variants that no one gets', () => {
    const item = imported([rollout('default')], [{ name: 'a', weight: 0 }])
    expect(item.problem).toBe('no equal here for variants without weight: no one gets any')
  })
})
