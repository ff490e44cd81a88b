import { describe, expect, it } from 'vitest'
import { createSerialQueue } from '../../src/project/serial-queue'

/** A job that says when it begins and ends, and takes until it is told to end. */
function jobs() {
  const log: string[] = []
  const job = (name: string, failure?: Error) => {
    const { promise: ended, resolve: end } = Promise.withResolvers<void>()
    const run = async () => {
      log.push(`${name} begins`)
      await ended
      log.push(`${name} ends`)
      if (failure) throw failure
      return name
    }
    return { run, end }
  }
  return { log, job }
}

const settled = () => scheduler.wait(0)

describe('run', () => {
  it('begins a job when every job before it has ended, in the order of the calls', async () => {
    const queue = createSerialQueue(10)
    const { log, job } = jobs()
    const [a, b, c] = [job('a'), job('b'), job('c')]
    const outcomes = [a, b, c].map(({ run }) => queue.run(run))
    b.end()
    c.end()
    await settled()
    expect(log).toEqual(['a begins'])
    a.end()
    expect(await Promise.all(outcomes)).toEqual(['a', 'b', 'c'])
    expect(log).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends'])
  })

  it('continues after a job that rejects or throws, and rejects only for its caller', async () => {
    const queue = createSerialQueue(10)
    const failing = queue.run(() => Promise.reject(new Error('lost')))
    const throwing = queue.run(() => {
      throw new Error('crashed')
    })
    const after = queue.run(async () => 'done')
    await expect(failing).rejects.toThrow('lost')
    await expect(throwing).rejects.toThrow('crashed')
    expect(await after).toBe('done')
  })

  it('rejects with 503 beyond the capacity of the queue, and accepts callers again when there is room', async () => {
    const queue = createSerialQueue(2)
    const { log, job } = jobs()
    const [a, b, c, d] = [job('a'), job('b'), job('c'), job('d')]
    const first = queue.run(a.run)
    await settled()
    const waiting = [queue.run(b.run), queue.run(c.run)]
    await expect(queue.run(d.run)).rejects.toMatchObject({
      status: 503,
      code: 'database_unavailable',
      detail: 'Too many changes wait for this project. Please retry.',
      headers: { 'Retry-After': '1' },
    })
    for (const { end } of [a, b, c, d]) end()
    expect(await Promise.all([first, ...waiting])).toEqual(['a', 'b', 'c'])
    expect(await queue.run(d.run)).toBe('d')
    expect(log.filter((line) => line.startsWith('d'))).toEqual(['d begins', 'd ends'])
  })
})

describe('runShared', () => {
  it('shares the outcome of one that still waits', async () => {
    const queue = createSerialQueue(10)
    const { log, job } = jobs()
    const [busy, shared, unused] = [job('busy'), job('shared'), job('unused')]
    const before = queue.run(busy.run)
    const outcomes = [queue.runShared(shared.run), queue.runShared(unused.run), queue.runShared(unused.run)]
    busy.end()
    shared.end()
    expect(await Promise.all([before, ...outcomes])).toEqual(['busy', 'shared', 'shared', 'shared'])
    expect(log).toEqual(['busy begins', 'busy ends', 'shared begins', 'shared ends'])
  })

  it('does not share one that has begun: it may have missed what the call is about', async () => {
    const queue = createSerialQueue(10)
    const { log, job } = jobs()
    const [first, second] = [job('first'), job('second')]
    const begun = queue.runShared(first.run)
    await settled()
    const later = queue.runShared(second.run)
    first.end()
    second.end()
    expect(await Promise.all([begun, later])).toEqual(['first', 'second'])
    expect(log).toEqual(['first begins', 'first ends', 'second begins', 'second ends'])
  })

  it('shares a failure with waiting callers, and not with later ones', async () => {
    const queue = createSerialQueue(10)
    const fail = () => Promise.reject(new Error('lost'))
    const outcomes = await Promise.allSettled([queue.runShared(fail), queue.runShared(async () => 'unused')])
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(await queue.runShared(async () => 'new')).toBe('new')
  })

  it('continues sharing the next one when the one before it fails', async () => {
    const queue = createSerialQueue(10)
    const { log, job } = jobs()
    const [failing, next, unused, busy] = [
      job('failing', new Error('lost')),
      job('next'),
      job('unused'),
      job('busy'),
    ]
    const begun = queue.runShared(failing.run)
    await settled()
    const between = queue.run(busy.run)
    const waiting = queue.runShared(next.run)
    failing.end()
    await expect(begun).rejects.toThrow('lost')
    const shared = queue.runShared(unused.run)
    for (const { end } of [busy, next, unused]) end()
    expect(await Promise.all([between, waiting, shared])).toEqual(['busy', 'next', 'next'])
    expect(log).not.toContain('unused begins')
  })

  it('shares no rejection once there is capacity', async () => {
    const queue = createSerialQueue(1)
    const { job } = jobs()
    const [busy, waits] = [job('busy'), job('waits')]
    const first = queue.run(busy.run)
    await settled()
    const second = queue.run(waits.run)
    await expect(queue.runShared(async () => 'unused')).rejects.toMatchObject({ status: 503 })
    busy.end()
    waits.end()
    await Promise.all([first, second])
    expect(await queue.runShared(async () => 'new')).toBe('new')
  })
})
