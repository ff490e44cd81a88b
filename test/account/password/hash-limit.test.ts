// How many passwords an isolate hashes at once, counted on a clock that the test moves.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  createHashLimit,
  MAX_HASH_WAIT_MS,
  MAX_WAITING_HASHES,
} from '../../../src/account/password/hash-limit'
import { ApiError } from '../../../src/errors'

/** A limit whose time moves with `tick`, and hashes that end with `finish`. */
function arrange() {
  let started = 0
  let running = 0
  let mostRunning = 0
  const hashes: (() => void)[] = []
  const limit = createHashLimit()
  return {
    /** Asks for a hash; resolves with `done`, or with the status and headers of the rejection. */
    ask: () =>
      limit(async () => {
        started += 1
        running += 1
        mostRunning = Math.max(mostRunning, running)
        await new Promise<void>((resolve) => hashes.push(resolve))
        running -= 1
        return 'done'
      }).catch((error: unknown) => {
        if (!(error instanceof ApiError)) throw error
        return { status: error.status, code: error.code, headers: error.headers }
      }),
    tick: (ms = 5) => vi.advanceTimersByTimeAsync(ms),
    async finish() {
      hashes.shift()!()
      await vi.advanceTimersByTimeAsync(0)
    },
    counts: () => ({ started, mostRunning }),
  }
}

const BUSY = { status: 503, code: 'password_capacity', headers: { 'Retry-After': '1' } }

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
afterEach(() => void vi.useRealTimers())

describe('the limit on running hashes', () => {
  it('starts no hash before other events ran', async () => {
    const { ask, tick, counts, finish } = arrange()
    const response = ask()
    await Promise.resolve()
    expect(counts().started).toBe(0)
    await tick(0)
    expect(counts().started).toBe(1)
    await finish()
    expect(await response).toBe('done')
  })

  it('runs two concurrently, and the rest as slots become free', async () => {
    const { ask, tick, counts, finish } = arrange()
    const responses = Array.from({ length: 5 }, ask)
    await tick()
    expect(counts()).toEqual({ started: 2, mostRunning: 2 })
    for (let round = 0; round < 5; round += 1) {
      await finish()
      await tick(20)
    }
    expect(await Promise.all(responses)).toEqual(Array.from({ length: 5 }, () => 'done'))
    expect(counts()).toEqual({ started: 5, mostRunning: 2 })
  })

  it('leaves 20 ms to other requests after each hash', async () => {
    const { ask, tick, counts, finish } = arrange()
    const first = ask()
    await tick()
    await finish()
    expect(await first).toBe('done')
    const second = ask()
    await tick(19)
    expect(counts().started).toBe(1)
    await tick(1)
    expect(counts().started).toBe(2)
    await finish()
    expect(await second).toBe('done')
  })

  it('responds with 503 immediately beyond the queue', async () => {
    const { ask, tick, finish, counts } = arrange()
    const running = [ask(), ask()]
    await tick()
    const waiting = Array.from({ length: MAX_WAITING_HASHES }, ask)
    expect(await ask()).toEqual(BUSY)
    expect(counts().started).toBe(2)
    for (let round = 0; round < 2 + MAX_WAITING_HASHES; round += 1) {
      await finish()
      await tick(20)
    }
    expect(new Set(await Promise.all([...running, ...waiting]))).toEqual(new Set(['done']))
  })

  it('responds with 503 to a waiter past its deadline, without a hash', async () => {
    const { ask, tick, finish, counts } = arrange()
    const running = [ask(), ask()]
    await tick()
    const late = ask()
    await tick(MAX_HASH_WAIT_MS)
    expect(await late).toEqual(BUSY)
    await finish()
    await finish()
    expect(await Promise.all(running)).toEqual(['done', 'done'])
    expect(counts().started).toBe(2)
  })

  it('frees the slot of a failed hash', async () => {
    const limit = createHashLimit()
    const ask = async (hash: () => Promise<string>) => {
      const asked = limit(hash).catch((error: Error) => error.message)
      await vi.advanceTimersByTimeAsync(20)
      return asked
    }
    for (const error of ['first', 'second', 'third']) {
      expect(await ask(() => Promise.reject(new Error(error)))).toBe(error)
    }
    expect(await ask(() => Promise.resolve('done'))).toBe('done')
  })

  it('frees slots and places whose requests the platform dropped', async () => {
    const { ask, tick, counts } = arrange()
    void ask()
    void ask()
    await tick()
    for (let each = 0; each < MAX_WAITING_HASHES; each += 1) void ask()
    expect(await ask()).toEqual(BUSY)
    // Neither these hashes nor the waiters behind them ever end.
    vi.clearAllTimers()
    await tick(10_000)
    void ask()
    await tick()
    expect(counts().started).toBe(3)
  })
})
