// How many passwords an isolate hashes at once, counted with a clock and timers of the test's own.
import { describe, expect, it } from 'vitest'
import { createHashLimit, type HashLimitOptions } from '../../../src/account/password/hash-limit'
import { ApiError } from '../../../src/errors'

/** A limit whose time moves with `tick`, and hashes that end with `finish`. */
function arrange(options: HashLimitOptions = {}) {
  let at = 0
  let started = 0
  let running = 0
  let mostRunning = 0
  let timers: (() => void)[] = []
  const hashes: (() => void)[] = []
  const limit = createHashLimit({
    ...options,
    now: () => at,
    sleep: () => new Promise((resolve) => timers.push(resolve)),
  })
  const settle = async () => {
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve()
  }
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
    async tick(ms = 5) {
      at += ms
      const due = timers
      timers = []
      for (const fire of due) fire()
      await settle()
    },
    async finish() {
      hashes.shift()!()
      await settle()
    },
    counts: () => ({ started, mostRunning }),
  }
}

const BUSY = { status: 503, code: 'password_capacity', headers: { 'Retry-After': '1' } }

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
    const { ask, tick, counts, finish } = arrange({ maxRunning: 1 })
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
    const { ask, tick, finish, counts } = arrange({ maxRunning: 1, maxWaiting: 2 })
    const first = ask()
    await tick()
    const waiting = [ask(), ask()]
    expect(await ask()).toEqual(BUSY)
    expect(counts().started).toBe(1)
    await finish()
    await tick(20)
    await finish()
    await tick(20)
    await finish()
    expect(await Promise.all([first, ...waiting])).toEqual(['done', 'done', 'done'])
  })

  it('responds with 503 to a waiter past its deadline, without a hash', async () => {
    const { ask, tick, finish, counts } = arrange({ maxRunning: 1, maxWaitMs: 100 })
    const first = ask()
    await tick()
    const second = ask()
    await tick(99)
    await tick(1)
    expect(await second).toEqual(BUSY)
    await finish()
    expect(await first).toBe('done')
    expect(counts().started).toBe(1)
  })

  it('frees the slot of a failed hash', async () => {
    const limit = createHashLimit({ maxRunning: 1, pauseMs: 0, sleep: () => Promise.resolve() })
    await expect(limit(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
    expect(await limit(() => Promise.resolve('done'))).toBe('done')
  })

  it('frees slots and places whose requests the platform dropped', async () => {
    const { ask, tick, counts } = arrange({ maxRunning: 1, maxWaiting: 1, maxWaitMs: 100, maxHashMs: 1_000 })
    void ask()
    await tick()
    // Neither this hash nor the waiter behind it ever ends.
    void ask()
    expect(await ask()).toEqual(BUSY)
    await tick(1_000)
    void ask()
    await tick()
    expect(counts().started).toBe(2)
  })
})
