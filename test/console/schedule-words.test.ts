import { describe, expect, it } from 'vitest'
import { stateOf, waitingOf } from '../../src/console/schedule/words'

const change = (more: object = {}) =>
  ({
    scheduled_at: '2026-12-03T09:00:00Z',
    executed_at: null,
    failure_reason: null,
    recurrence_interval: null,
    is_recurring: false,
    ...more,
  }) as never

const ENDED = { executed_at: '2026-12-03T09:00:05Z' }

describe('a scheduled change', () => {
  it.each([
    [{}, 'Scheduled'],
    [{ recurrence_interval: 'daily', is_recurring: true }, 'Scheduled'],
    [{ recurrence_interval: 'daily' }, 'Paused'],
    [ENDED, 'Done'],
    [{ ...ENDED, failure_reason: 'The flag is archived.' }, 'Failed'],
    [
      { ...ENDED, failure_reason: 'This change needs approval. Change request 01a2-f waits for it.' },
      'Requested',
    ],
  ])('%j is described as %s', (more, words) => {
    expect(stateOf(change(more)).text).toBe(words)
  })

  it('waits unless it has ended or is paused, the next one first', () => {
    const [late, soon] = [change(), change({ scheduled_at: '2026-12-01T09:00:00Z' })]
    const others = [change(ENDED), change({ recurrence_interval: 'daily' })]
    expect(waitingOf([late, ...others, soon])).toEqual([soon, late])
  })
})
