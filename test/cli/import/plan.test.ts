// Plans as properties: whatever two projects have, a plan is complete, in order, and overwrites nothing that was edited here.
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Item, TargetItem } from '../../../src/import/model'
import { itemId, type PlanFacts, planImport, remember, type Step } from '../../../src/import/plan'
import { inOrder, mapReferences, referencesOf } from '../../../src/import/references'

const plain = { changes: [], problem: null }

const cohort = (key: string, names: readonly string[]): Item => ({
  ...plain,
  kind: 'cohort',
  key,
  value: {
    name: key,
    description: '',
    is_static: false,
    filters: {
      properties: {
        type: 'OR',
        values: [
          {
            type: 'AND',
            values: [
              { key: 'plan', type: 'person', operator: 'exact', value: 'paid' },
              ...names.map((value) => ({ key: 'id', type: 'cohort', value })),
            ],
          },
        ],
      },
    },
  },
})

const flag = (key: string, properties: readonly object[], rollout: number, active = true): Item => ({
  ...plain,
  kind: 'flag',
  key,
  value: {
    name: '',
    filters: { groups: [{ properties, rollout_percentage: rollout }] } as never,
    active,
    archived: false,
    ensure_experience_continuity: false,
    is_remote_configuration: false,
    has_encrypted_payloads: false,
    evaluation_runtime: 'all',
    bucketing_identifier: 'distinct_id',
    tags: [],
    evaluation_contexts: [],
    rollback_conditions: null,
  },
})

const dependency = (key: string) => ({ key, type: 'flag', operator: 'flag_evaluates_to', value: true })
const membership = (value: string) => ({ key: 'id', type: 'cohort', operator: 'in', value })

/** Items that only name earlier ones, in any order. */
const project = fc
  .record({
    cohorts: fc.array(fc.array(fc.nat(20), { maxLength: 3 }), { maxLength: 6 }),
    flags: fc.array(
      fc.record({
        dependencies: fc.array(fc.nat(20), { maxLength: 2 }),
        cohorts: fc.array(fc.nat(20), { maxLength: 2 }),
        rollout: fc.integer({ min: 0, max: 100 }),
        active: fc.boolean(),
      }),
      { maxLength: 8 },
    ),
  })
  .map(({ cohorts, flags }) => [
    ...cohorts.map((names, index) =>
      cohort(
        `c${index}`,
        [...new Set(names.filter((name) => name < index))].map((name) => `c${name}`),
      ),
    ),
    ...flags.map((each, index) =>
      flag(
        `f${index}`,
        [
          ...each.dependencies.filter((name) => name < index).map((name) => dependency(`f${name}`)),
          ...each.cohorts.filter((name) => name < cohorts.length).map((name) => membership(`c${name}`)),
        ],
        each.rollout,
        each.active,
      ),
    ),
  ])
  .chain((items) => fc.shuffledSubarray(items, { minLength: items.length, maxLength: items.length }))

const facts = (items: readonly Item[], more: Partial<PlanFacts> = {}): PlanFacts => ({
  items,
  targets: [],
  memory: {},
  overwrite: false,
  persons: new Set(),
  awaitsPersons: false,
  maxGroupTypes: 5,
  ...more,
})

/** The target after a plan was carried out. */
const written = (steps: readonly Step[]): TargetItem[] => steps.map(({ item }, id) => ({ ...item, id }))

const remembered = (steps: readonly Step[]) =>
  Object.fromEntries(steps.map(({ item }) => [itemId(item), remember(item, { ...item, id: 1 }, new Set())]))

const actionsOf = (steps: readonly Step[]) => new Set(steps.map(({ action }) => action))

describe('planImport', () => {
  it('creates every item once, after those that it names', () => {
    fc.assert(
      fc.property(project, (items) => {
        const steps = planImport(facts(items))
        expect(steps.map(({ item }) => itemId(item)).toSorted()).toEqual(items.map(itemId).toSorted())
        expect([...actionsOf(steps)]).toEqual(items.length > 0 ? ['create'] : [])
        const before = new Set<string>()
        for (const { item } of steps) {
          for (const key of referencesOf(item.value, 'cohort')) expect(before).toContain(`cohort ${key}`)
          for (const key of referencesOf(item.value, 'flag')) expect(before).toContain(`flag ${key}`)
          before.add(itemId(item))
        }
      }),
    )
  })

  it('changes nothing once it was carried out', () => {
    fc.assert(
      fc.property(project, fc.boolean(), (items, overwrite) => {
        const targets = written(planImport(facts(items)))
        expect([...actionsOf(planImport(facts(items, { targets, overwrite })))]).toEqual(
          items.length > 0 ? ['same'] : [],
        )
      }),
    )
  })

  it('overwrites only items unchanged since the last import, or with the option', () => {
    fc.assert(
      fc.property(project, fc.nat(), fc.nat(), fc.boolean(), (items, at, from, overwrite) => {
        fc.pre(items.length > 0)
        const steps = planImport(facts(items))
        const edit = <T extends Item>(all: readonly T[], index: number, text: string): T[] =>
          all.map((item, each) =>
            each === index % all.length ? { ...item, value: { ...item.value, edited: text } } : item,
          )
        const here = edit(written(steps), at, 'here')
        const there = edit(items, from, 'there')
        const edited = here.find(({ value }) => value.edited)!
        const changed = there.find(({ value }) => value.edited)!
        const again = planImport(facts(there, { targets: here, memory: remembered(steps), overwrite }))
        for (const { item, action } of again) {
          const isEdited = itemId(item) === itemId(edited)
          const isChanged = itemId(item) === itemId(changed)
          if (overwrite) expect(action).toBe(isEdited || isChanged ? 'update' : 'same')
          else if (isEdited) expect(action).toBe('kept')
          else expect(action).toBe(isChanged ? 'update' : 'same')
        }
      }),
    )
  })

  it('does not recreate items that were deleted here', () => {
    fc.assert(
      fc.property(project, (items) => {
        const steps = planImport(facts(items))
        const again = planImport(facts(items, { memory: remembered(steps) }))
        expect([...actionsOf(again)]).toEqual(items.length > 0 ? ['kept'] : [])
        const told = planImport(facts(items, { memory: remembered(steps), overwrite: true }))
        expect([...actionsOf(told)]).toEqual(items.length > 0 ? ['create'] : [])
      }),
    )
  })

  it('takes an item that it did not finish for its own', () => {
    const items = [flag('a', [], 100)]
    const targets = [{ ...flag('a', [], 0), id: 1 }]
    const memory = { 'flag a': { source: null, target: null } }
    expect(planImport(facts(items, { targets }))[0]).toMatchObject({ action: 'kept' })
    expect(planImport(facts(items, { targets, memory }))[0]).toMatchObject({
      action: 'update',
      fields: ['filters'],
    })
  })

  it('blocks what names something that cannot come over', () => {
    const items = [
      { ...cohort('events', []), problem: 'its members cannot be read' },
      flag('a', [membership('events')], 100),
      flag('b', [dependency('a')], 100),
      flag('c', [dependency('nowhere')], 100),
      flag('d', [{ key: 'email', type: 'person', operator: 'regex', value: '(?<n>a)(?&n)' }], 100),
      flag('e', [], 100),
    ]
    const steps = planImport(facts(items))
    expect(steps.map(({ item, action, reason }) => [item.key, action, reason])).toEqual([
      ['events', 'blocked', 'its members cannot be read'],
      ['a', 'blocked', 'needs the cohort events, which cannot come over'],
      ['b', 'blocked', 'needs the flag a, which cannot come over'],
      ['c', 'blocked', 'needs the flag nowhere, which does not exist'],
      ['d', 'blocked', expect.stringContaining('is not supported in regular expressions here')],
      ['e', 'create', null],
    ])
  })

  describe('of a static cohort', () => {
    const testers = (members: readonly string[]): Item => ({
      ...plain,
      kind: 'cohort',
      key: 'Testers',
      value: { name: 'Testers', description: '', is_static: true, filters: null },
      members,
    })
    /** The cohort here. Each distinct id is that of a person with the same uuid. */
    const here = (members: readonly string[]): TargetItem => ({
      ...testers(members),
      id: 1,
      people: new Map(members.map((member) => [member, `person of ${member}`])),
    })
    const stepOf = (members: readonly string[], more: Partial<PlanFacts>) =>
      planImport(facts([testers(members)], { persons: new Set(['ada', 'bob', 'cleo']), ...more }))[0]
    const remembering = (members: readonly string[], target: TargetItem) => {
      const item = testers(members)
      return { [itemId(item)]: remember(item, target, new Set(['ada', 'bob', 'cleo'])) }
    }

    it('adds members that are persons here, unless they were taken out', () => {
      const members = ['ada', 'bob', 'cleo']
      const persons = new Set(['ada', 'bob'])
      const left = ['1 of its 3 members are left out: they are no persons here. Import persons, too']
      expect(stepOf(members, { persons })).toMatchObject({
        action: 'create',
        added: ['ada', 'bob'],
        item: { changes: left },
      })
      const targets = [here(['ada'])]
      expect(stepOf(members, { persons, targets })).toMatchObject({
        action: 'update',
        added: ['bob'],
        fields: ['members'],
      })
      const memory = { 'cohort Testers': remember(testers(members), targets[0]!, persons) }
      expect(stepOf(members, { persons, targets, memory })).toMatchObject({ action: 'same', added: [] })
      expect(stepOf(members, { targets, memory })).toMatchObject({
        action: 'update',
        added: ['bob', 'cleo'],
      })
    })

    it('removes members that left at the source, unless the members were edited here', () => {
      const targets = [here(['ada', 'bob'])]
      const memory = remembering(['ada', 'bob'], targets[0]!)
      const stay = '1 of its members here are not at the source, and stay'
      expect(stepOf(['ada'], { targets, memory })).toMatchObject({
        action: 'update',
        removed: ['person of bob'],
        fields: ['members'],
      })
      const edited = [here(['ada', 'cleo'])]
      expect(stepOf(['ada'], { targets: edited, memory })).toMatchObject({
        action: 'kept',
        reason: stay,
        removed: [],
      })
      expect(stepOf(['ada', 'bob'], { targets: edited, memory: {} })).toMatchObject({
        action: 'update',
        added: ['bob'],
        removed: [],
        item: { changes: [stay] },
      })
      expect(stepOf(['ada'], { targets: edited, memory, overwrite: true })).toMatchObject({
        action: 'update',
        removed: ['person of cleo'],
      })
      // Who stays is no member at the source: it is not taken for one at the next import.
      expect(remembering(['ada'], edited[0]!)['cohort Testers']).not.toHaveProperty('people')
    })

    it('removes no member while one at the source is no person here, because it may be the same', () => {
      const targets = [here(['ada', 'bob'])]
      const memory = remembering(['ada', 'bob'], targets[0]!)
      expect(stepOf(['ada', 'alias of bob'], { targets, memory })).toMatchObject({
        action: 'kept',
        removed: [],
      })
    })
  })
})

describe('mapReferences', () => {
  const marked = {
    cohort: (id: unknown) => `cohort ${String(id)}`,
    flag: (id: unknown) => `flag ${String(id)}`,
    groupType: (id: unknown) => `type ${String(id)}`,
    variable: (id: unknown) => `variable ${String(id)}`,
  }

  it('finds them in conditions, queries and SQL, and nowhere else', () => {
    expect(
      mapReferences(
        {
          groups: [
            { properties: [{ type: 'cohort', key: 'id', value: 1 }], aggregation_group_type_index: 2 },
            { properties: [{ type: 'flag', key: '3', operator: 'flag_evaluates_to', value: true }] },
            { properties: [{ type: 'person', key: 'cohort', value: 4 }], aggregation_group_type_index: null },
          ],
          payloads: { true: { type: 'cohort', value: 5 } },
          ...(JSON.parse('{"__proto__":{"a":1}}') as object),
        },
        marked,
      ),
    ).toEqual({
      groups: [
        {
          properties: [{ type: 'cohort', key: 'id', value: 'cohort 1' }],
          aggregation_group_type_index: 'type 2',
        },
        { properties: [{ type: 'flag', key: 'flag 3', operator: 'flag_evaluates_to', value: true }] },
        { properties: [{ type: 'person', key: 'cohort', value: 4 }], aggregation_group_type_index: null },
      ],
      payloads: { true: { type: 'cohort', value: 5 } },
      ['__proto__']: { a: 1 },
    })
    const query = (text: string) =>
      mapReferences(
        { kind: 'HogQLQuery', query: text, variables: { u: { variableId: 'u', code_name: 'n' } } },
        marked,
      )
    expect(
      query("SELECT 'IN COHORT 1' -- COHORT 2\nWHERE a IN COHORT 3 AND b NOT IN COHORT 'it\\'s'"),
    ).toEqual({
      kind: 'HogQLQuery',
      query:
        "SELECT 'IN COHORT 1' -- COHORT 2\nWHERE a IN COHORT 'cohort 3' AND b NOT IN COHORT 'cohort it\\'s'",
      variables: { 'variable u': { variableId: 'variable u', code_name: 'n' } },
    })
  })
})

describe('inOrder', () => {
  it('takes an item that names more than fit in one call', () => {
    const named = Array.from({ length: 200_000 }, (_, index) => ({ key: String(index) }))
    const all = named.map(({ key }) => key)
    const ordered = inOrder([{ key: 'first' }, ...named], ({ key }) => (key === 'first' ? all : []))
    expect(ordered).toHaveLength(200_001)
    expect(ordered.at(-1)).toEqual({ key: 'first' })
  })

  it('keeps all items, also those in a circle', () => {
    fc.assert(
      fc.property(fc.array(fc.array(fc.nat(9), { maxLength: 3 }), { maxLength: 10 }), (names) => {
        const items = names.map((of, index) => ({ key: String(index), of: of.map(String) }))
        const ordered = inOrder(items, ({ of }) => of)
        expect(ordered.toSorted((a, b) => Number(a.key) - Number(b.key))).toEqual(items)
      }),
    )
  })
})
