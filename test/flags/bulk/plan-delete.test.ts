// The decision of a bulk delete, for projects of any shape.
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { planDeletion } from '../../../src/flags/bulk/plan-delete'
import type { Targets } from '../../../src/flags/bulk/targets'

interface World {
  flags: { id: number; active: boolean; picked: boolean }[]
  /** `[dependent, target]`; each looks at earlier flags only, as no circle can be made. */
  edges: [number, number][]
  features: number[]
  running: number[]
  drafts: number[]
  replayFlagId: number | null
}

const worlds: fc.Arbitrary<World> = fc.integer({ min: 1, max: 12 }).chain((size) => {
  const id = fc.integer({ min: 1, max: size })
  const some = fc.uniqueArray(id, { maxLength: 2 })
  return fc.record({
    flags: fc
      .array(fc.record({ active: fc.boolean(), picked: fc.boolean() }), { minLength: size, maxLength: size })
      .map((flags) => flags.map((flag, at) => ({ id: at + 1, ...flag }))),
    edges: fc.uniqueArray(fc.tuple(id, id), { selector: ([a, b]) => `${a}-${b}` }).chain((edges) =>
      // Ids say nothing about who looks at whom.
      fc
        .shuffledSubarray(
          Array.from({ length: size }, (_, at) => at + 1),
          { minLength: size },
        )
        .map((order) =>
          edges.filter(([a, b]) => a > b).map(([a, b]): [number, number] => [order[a - 1]!, order[b - 1]!]),
        ),
    ),
    features: some,
    running: some,
    drafts: some,
    replayFlagId: fc.option(id),
  })
})

const keyOf = (id: number) => `flag-${String(id).padStart(2, '0')}`

const flagOf = (id: number) => ({
  id,
  key: keyOf(id),
  rolloutState: 'partial',
  decidedVariant: null,
  active: true,
})

/** What the database tells about a world. */
function targetsOf({ flags, edges, features, running, drafts, replayFlagId }: World): Targets {
  const picked = new Set(flags.filter((flag) => flag.picked).map(({ id }) => id))
  const active = new Set(flags.filter((flag) => flag.active).map(({ id }) => id))
  const isPicked = (id: number) => picked.has(id)
  const experiment = (flagId: number, isRunning: number) => ({
    id: flagId * 10 + isRunning,
    name: 'Trial',
    flagId,
    running: isRunning,
  })
  return {
    flags: [...picked].map((id) => flagOf(id)),
    features: features.filter(isPicked).map((flagId) => ({ flagId })),
    experiments: [
      ...running.filter(isPicked).map((id) => experiment(id, 1)),
      ...drafts.filter(isPicked).map((id) => experiment(id, 0)),
    ],
    dependents: edges
      .filter(([from, to]) => isPicked(to) && active.has(from))
      .map(([from, to]) => ({ targetId: to, id: from, key: keyOf(from) }))
      .sort((a, b) => (a.key < b.key ? -1 : 1)),
    replayFlagId,
    policies: [],
  }
}

const BY_IDS = { kind: 'ids' as const, ids: [], invalid: [] }

/** A world with what was decided about it. */
function decided(world: World) {
  const plan = planDeletion(BY_IDS, targetsOf(world), 1)
  const going = new Set(plan.deleted.map(({ id }) => id))
  const looking = world.edges.filter(([from]) => world.flags[from - 1]!.active)
  const blocked = new Set([...world.features, ...world.running, world.replayFlagId])
  return { plan, going, looking, blocked }
}

const everywhere = (law: (world: World) => void) => fc.assert(fc.property(worlds, law), { numRuns: 1_000 })

describe('a plan', () => {
  it('deletes or rejects each picked flag, and no other', () => {
    everywhere((world) => {
      const { plan } = decided(world)
      const told = [...plan.deleted, ...plan.errors].map(({ id }) => id as number)
      const picked = world.flags.filter((flag) => flag.picked).map(({ id }) => id)
      expect(told.toSorted((a, b) => a - b)).toEqual(picked)
    })
  })

  it('deletes no flag that an active flag which stays looks at', () => {
    everywhere((world) => {
      const { going, looking } = decided(world)
      expect(looking.filter(([from, to]) => going.has(to) && !going.has(from))).toEqual([])
    })
  })

  it('deletes all that it can: each rejection has its own reason or a dependent that stays', () => {
    everywhere((world) => {
      const { plan, going, looking, blocked } = decided(world)
      for (const { id } of plan.errors) {
        const isHeld = looking.some(([from, to]) => to === id && !going.has(from))
        expect(isHeld || blocked.has(id as number)).toBe(true)
      }
    })
  })

  it('gives the first reason in the order of the reference, and names every dependent that stays', () => {
    everywhere((world) => {
      const { plan, going, looking } = decided(world)
      for (const { id, reason } of plan.errors) {
        const holding = looking.filter(([from, to]) => to === id && !going.has(from)).map(([from]) => from)
        const named = holding
          .toSorted((a, b) => a - b)
          .slice(0, 3)
          .map((each) => `${keyOf(each)} (ID: ${each})`)
          .join(', ')
        const more = holding.length > 3 ? `, and ${holding.length - 3} more` : ''
        const expected = world.features.includes(id as number)
          ? 'Cannot delete a feature flag that is in use with early access features'
          : world.running.includes(id as number)
            ? `Cannot delete a feature flag linked to running experiment(s): "Trial" (ID: ${(id as number) * 10 + 1})`
            : holding.length > 0
              ? `Cannot delete because other flags depend on it: ${named}${more}`
              : 'This feature flag is used in session replay settings. Please remove it from replay settings before deleting.'
        expect(reason).toBe(expected)
      }
    })
  })

  it('plans each deleted flag, and frees the keys of flags with experiments', () => {
    everywhere((world) => {
      const { plan, going } = decided(world)
      expect(plan.planned.map(({ id }) => id)).toEqual([...going])
      expect(
        plan.planned
          .filter(({ renamed }) => renamed)
          .map(({ id }) => id)
          .toSorted(),
      ).toEqual(world.drafts.filter((id) => going.has(id)).toSorted())
    })
  })

  it('is made for a chain of 20,000 flags', () => {
    const ids = Array.from({ length: 20_000 }, (_, at) => at + 1)
    const plan = planDeletion(
      BY_IDS,
      {
        flags: ids.map((id) => flagOf(id)),
        features: [{ flagId: ids.at(-1)! }],
        experiments: [],
        dependents: ids.slice(1).map((id) => ({ targetId: id - 1, id, key: keyOf(id) })),
        replayFlagId: null,
        policies: [],
      },
      1,
    )
    expect(plan.deleted).toEqual([])
    expect(plan.errors).toHaveLength(ids.length)
  })

  it('lets go flags that look at each other, as old data may', () => {
    const plan = planDeletion(
      BY_IDS,
      {
        flags: [1, 2, 3].map((id) => flagOf(id)),
        features: [],
        experiments: [],
        dependents: [
          { targetId: 1, id: 2, key: keyOf(2) },
          { targetId: 2, id: 1, key: keyOf(1) },
        ],
        replayFlagId: null,
        policies: [],
      },
      1,
    )
    expect(plan.deleted.map(({ id }) => id)).toEqual([1, 2, 3])
  })
})
