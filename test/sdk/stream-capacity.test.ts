import { describe, expect, it } from 'vitest'
import type { ApiError } from '../../src/errors'
import { createStreamCapacity, type StreamCapacity } from '../../src/sdk/stream-capacity'

/** Takes places of a project until it is refused. @returns what gives them back. */
function takeAll(capacity: StreamCapacity, projectId: number): (() => void)[] {
  const taken: (() => void)[] = []
  try {
    for (;;) taken.push(capacity.take(projectId))
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
