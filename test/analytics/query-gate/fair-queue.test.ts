import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FairQueue, type QueueLimits, type Work } from '../../../src/analytics/query-gate/fair-queue'

const LIMITS: QueueLimits = { weight: 10, perOrganization: 1, waiting: 6, waitingPerOrganization: 3 }

/** A queue, the names of work in the order in which it was started, and what is under way. */
function queue(limits = LIMITS) {
  const fair = new FairQueue(limits)
  const started: string[] = []
  const underWay = new Map<string, Work>()
  return {
    fair,
    started,
    underWay,
    add(name: string, organizationId: string, weight = 1): Work | null {
      const work = {
        organizationId,
        weight,
        start: () => {
          started.push(name)
          underWay.set(name, work)
        },
      }
      return fair.add(work) ? work : null
    },
    end(name: string) {
      const work = underWay.get(name)!
      underWay.delete(name)
      fair.end(work)
    },
  }
}

describe('a fair queue', () => {
  it('starts one piece of work per organization at a time', () => {
    const { add, end, started } = queue()
    add('a1', 'a')
    add('a2', 'a')
    add('b1', 'b')
    expect(started).toEqual(['a1', 'b1'])
    end('b1')
    expect(started).toEqual(['a1', 'b1'])
    end('a1')
    expect(started).toEqual(['a1', 'b1', 'a2'])
  })

  it('serves organizations in turn, for any order and number of jobs', () => {
    const { add, end, started } = queue({ ...LIMITS, weight: 1 })
    for (const name of ['a1', 'a2', 'a3', 'a4']) add(name, 'a')
    add('b1', 'b')
    add('c1', 'c')
    for (const name of ['a1', 'a2', 'b1', 'c1', 'a3']) end(name)
    expect(started).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'a4'])
  })

  it('lets nothing overtake work that does not fit yet', () => {
    const { add, end, started } = queue()
    add('light', 'a', 4)
    add('heavy', 'b', 9)
    add('lighter', 'c', 1)
    expect(started).toEqual(['light'])
    end('light')
    expect(started).toEqual(['light', 'heavy', 'lighter'])
  })

  it('starts work heavier than the limit when nothing else runs', () => {
    const { add, end, started } = queue()
    add('light', 'a')
    add('too heavy', 'b', 100)
    expect(started).toEqual(['light'])
    end('light')
    expect(started).toEqual(['light', 'too heavy'])
  })

  it('rejects work over the queue limits', () => {
    const { add } = queue({ ...LIMITS, weight: 1 })
    expect(add('a1', 'a')).not.toBeNull()
    expect([2, 3, 4].map((each) => add(`a${each}`, 'a') !== null)).toEqual([true, true, true])
    expect(add('a5', 'a')).toBeNull()
    expect([1, 2, 3].map((each) => add(`b${each}`, 'b') !== null)).toEqual([true, true, true])
    expect(add('c1', 'c')).toBeNull()
  })

  it('removes waiting work, but not started work', () => {
    const { fair, add, end, started } = queue()
    const [first, second] = [add('a1', 'a')!, add('a2', 'a')!]
    expect([fair.remove(first), fair.remove(second), fair.remove(second)]).toEqual([false, true, false])
    expect(fair.isBusy('a')).toBe(true)
    end('a1')
    expect(started).toEqual(['a1'])
    expect(fair.isBusy('a')).toBe(false)
  })

  it('stays within its limits and starts all work', () => {
    const action = fc.oneof(
      {
        weight: 3,
        arbitrary: fc.record({
          organization: fc.nat(4).map(String),
          weight: fc.integer({ min: 1, max: 12 }),
        }),
      },
      { weight: 2, arbitrary: fc.constant('end' as const) },
    )
    fc.assert(
      fc.property(
        fc.array(action, { maxLength: 60 }),
        fc.integer({ min: 1, max: 3 }),
        (actions, perOrganization) => {
          const limits = { ...LIMITS, perOrganization }
          const { fair, add, end, started, underWay } = queue(limits)
          let accepted = 0
          const check = () => {
            const all = [...underWay.values()]
            const weight = all.reduce((sum, work) => sum + work.weight, 0)
            expect(weight <= limits.weight || all.length === 1).toBe(true)
            for (const own of Map.groupBy(all, ({ organizationId }) => organizationId).values())
              expect(own.length).toBeLessThanOrEqual(perOrganization)
            expect(accepted - started.length).toBeLessThanOrEqual(limits.waiting)
          }
          for (const each of actions) {
            if (each !== 'end')
              accepted += add(`${accepted}`, each.organization, each.weight) === null ? 0 : 1
            else if (underWay.size > 0) end(underWay.keys().next().value!)
            check()
          }
          while (underWay.size > 0) {
            end(underWay.keys().next().value!)
            check()
          }
          expect(started).toHaveLength(accepted)
          expect(fair.isBusy('0')).toBe(false)
        },
      ),
    )
  })
})
