import { describe, expect, it } from 'vitest'
import type { ApiError } from '../../src/errors'
import {
  createStreamCapacity,
  MAX_STREAMS_PER_NETWORK,
  type StreamCapacity,
} from '../../src/sdk/stream-capacity'

/** Takes places of an organization until it is refused. @returns what gives them back. */
function takeAll(
  capacity: StreamCapacity,
  organizationId: string,
  network: string | null = null,
): (() => void)[] {
  const taken: (() => void)[] = []
  try {
    for (;;) taken.push(capacity.take(organizationId, network))
  } catch (error) {
    expect(error).toMatchObject({ status: 503, code: 'stream_capacity' } satisfies Partial<ApiError>)
    return taken
  }
}

describe('the places for streams of an isolate', () => {
  it('are taken by one organization up to a half, and by each further one up to half of the rest', () => {
    const capacity = createStreamCapacity(2_000)
    const counts = ['a', 'b', 'c', 'd', 'e'].map((each) => takeAll(capacity, each).length)
    expect(counts).toEqual([1_000, 500, 250, 125, 63])
  })

  it('are taken up to 100 by one network, which leaves those of the organization to others', () => {
    const capacity = createStreamCapacity(2_000)
    const places = takeAll(capacity, 'a', '192.0.2.1')
    expect(places).toHaveLength(MAX_STREAMS_PER_NETWORK)
    expect(takeAll(capacity, 'a', '192.0.2.2')).toHaveLength(MAX_STREAMS_PER_NETWORK)
    expect(takeAll(capacity, 'b', '192.0.2.1')).toHaveLength(MAX_STREAMS_PER_NETWORK)
    for (const leave of places) leave()
    expect(takeAll(capacity, 'a', '192.0.2.1')).toHaveLength(MAX_STREAMS_PER_NETWORK)
  })

  it('are given back, to the organization as well as to others', () => {
    const capacity = createStreamCapacity(8)
    const places = takeAll(capacity, 'a')
    expect(takeAll(capacity, 'b')).toHaveLength(2)
    for (const leave of places) leave()
    // The second one has two of eight: six are free.
    expect(takeAll(capacity, 'a')).toHaveLength(3)
    expect(takeAll(capacity, 'b')).toHaveLength(1)
  })
})
