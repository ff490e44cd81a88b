import { describe, expect, it } from 'vitest'
import { createRequestMemory } from '../../../src/http/limits/request-memory'

const KIB = 1024

describe('createRequestMemory', () => {
  it('does not count the first 64 KiB of a body', () => {
    const memory = createRequestMemory(100 * KIB)
    const leases = Array.from({ length: 100 }, () => memory.open())
    for (const lease of leases) lease.take(64 * KIB)
    expect(memory.reserved).toBe(0)
    leases[0]!.take(KIB)
    expect(memory.reserved).toBe(KIB)
  })

  it('rejects a body that exceeds the memory beside others, and accepts a single one', () => {
    const memory = createRequestMemory(100 * KIB)
    const [first, second, small] = [memory.open(), memory.open(), memory.open()]
    first.take(1_000 * KIB)
    expect(() => second.take(65 * KIB)).toThrow(
      expect.objectContaining({ status: 503, code: 'overloaded', headers: { 'Retry-After': '1' } }),
    )
    small.take(64 * KIB)
    first.release()
    expect(memory.reserved).toBe(0)
    second.take(65 * KIB)
  })

  it('releases what a request has reserved, once', () => {
    const memory = createRequestMemory()
    const lease = memory.open()
    lease.take(164 * KIB)
    lease.release()
    lease.release()
    expect(memory.reserved).toBe(0)
  })
})
