import { describe, expect, it } from 'vitest'
import type { ApiError } from '../../src/errors'
import {
  createStreamCapacity,
  MAX_STREAMS_PER_NETWORK,
  type StreamCapacity,
} from '../../src/sdk/stream-capacity'

/** Takes places of a project until it is refused. @returns what gives them back. */
function takeAll(capacity: StreamCapacity, projectId: number, network: string | null = null): (() => void)[] {
  const taken: (() => void)[] = []
  try {
    for (;;) taken.push(capacity.take(projectId, network))
  } catch (error) {
    expect(error).toMatchObject({ status: 503, code: 'stream_capacity' } satisfies Partial<ApiError>)
    return taken
  }
}

describe('the places for streams of an isolate', () => {
  it('are taken by one project up to a half, and by each further one up to half of the rest', () => {
    const capacity = createStreamCapacity(2_000)
    const counts = [1, 2, 3, 4, 5].map((projectId) => takeAll(capacity, projectId).length)
    expect(counts).toEqual([1_000, 500, 250, 125, 63])
  })

  it('are taken up to 100 by one network, which leaves those of the project to others', () => {
    const capacity = createStreamCapacity(2_000)
    const places = takeAll(capacity, 1, '192.0.2.1')
    expect(places).toHaveLength(MAX_STREAMS_PER_NETWORK)
    expect(takeAll(capacity, 1, '192.0.2.2')).toHaveLength(MAX_STREAMS_PER_NETWORK)
    expect(takeAll(capacity, 2, '192.0.2.1')).toHaveLength(MAX_STREAMS_PER_NETWORK)
    for (const leave of places) leave()
    expect(takeAll(capacity, 1, '192.0.2.1')).toHaveLength(MAX_STREAMS_PER_NETWORK)
  })

  it('are given back, to the project as well as to others', () => {
    const capacity = createStreamCapacity(8)
    const places = takeAll(capacity, 1)
    expect(takeAll(capacity, 2)).toHaveLength(2)
    for (const leave of places) leave()
    // Project 2 has two of eight: six are free.
    expect(takeAll(capacity, 1)).toHaveLength(3)
    expect(takeAll(capacity, 2)).toHaveLength(1)
  })
})
