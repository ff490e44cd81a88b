import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { createMeter, meteredD1 } from '../../src/storage/metered-d1'
import { createSharedReads } from '../../src/storage/shared-reads'
import { type D1Call, interceptedD1 } from '../support/intercepted-d1'

/** An isolate whose calls to D1 are held back until they are released, but for those that `onCall` answers. */
function isolate(onCall: (call: D1Call, index: number) => Promise<unknown> | null = () => null) {
  const sent: string[][] = []
  const held: (() => void)[] = []
  const d1 = interceptedD1(env.DB, async (call) => {
    sent.push(call.texts)
    const answer = onCall(call, sent.length - 1)
    if (answer) return answer
    await new Promise<void>((resolve) => held.push(resolve))
    return call.run()
  })
  const sendReads = createSharedReads()
  return {
    sent,
    release: () => held.splice(0).forEach((resolve) => resolve()),
    /** A request that runs one statement. */
    request(text: string, ...values: unknown[]) {
      const meter = createMeter()
      const result = meteredD1(d1, meter, { sendReads })
        .prepare(text)
        .bind(...values)
        .all()
        .then(({ results }) => results)
      // Rejections are looked at later.
      result.catch(() => undefined)
      return { result, meter }
    },
  }
}

const SELECT = 'SELECT ? AS value'
const turn = () => scheduler.wait(0)

describe('shared reads', () => {
  it('send a lone read at once, and those that begin meanwhile together, after it or after 10 ms', async () => {
    const { sent, release, request } = isolate()
    const first = request(SELECT, 1)
    await turn()
    const others = [2, 3, 4].map((value) => request(SELECT, value))
    await turn()
    expect(sent).toEqual([[SELECT]])
    release()
    expect(await first.result).toEqual([{ value: 1 }])
    await turn()
    expect(sent).toEqual([[SELECT], [SELECT, SELECT, SELECT]])
    const late = request(SELECT, 5)
    await scheduler.wait(30)
    expect(sent).toHaveLength(3)
    release()
    for (const [index, { result, meter }] of [...others, late].entries()) {
      expect(await result).toEqual([{ value: index + 2 }])
      expect(meter.roundTrips).toBe(1)
    }
  })

  it('leave writes alone, and have groups of 12 at most', async () => {
    const { sent, release, request } = isolate()
    const first = request(SELECT, 0)
    await turn()
    const write = request('DELETE FROM write_guards WHERE 0')
    const others = Array.from({ length: 13 }, (_, value) => request(SELECT, value))
    await turn()
    expect(sent).toEqual([[SELECT], ['DELETE FROM write_guards WHERE 0']])
    release()
    await Promise.all([first.result, write.result])
    while (sent.length < 4) {
      await scheduler.wait(1)
      release()
    }
    release()
    expect(await Promise.all(others.map(({ result }) => result))).toHaveLength(13)
    expect(sent.map(({ length }) => length)).toEqual([1, 1, 12, 1])
  })

  it('repeat the reads of a group one by one when one of them fails', async () => {
    const { release, request } = isolate(({ run }, index) => (index === 0 ? null : run()))
    const first = request(SELECT, 1)
    await turn()
    const good = request(SELECT, 2)
    const bad = request("SELECT json_extract('{', '$')")
    release()
    expect(await first.result).toEqual([{ value: 1 }])
    expect(await good.result).toEqual([{ value: 2 }])
    await expect(bad.result).rejects.toThrow('malformed JSON')
  })

  it('fail together when D1 is overloaded', async () => {
    const { sent, release, request } = isolate((_, index) =>
      index === 0 ? null : Promise.reject(new Error('D1 DB is overloaded')),
    )
    const first = request(SELECT, 1)
    await turn()
    const others = [2, 3].map((value) => request(SELECT, value))
    release()
    await first.result
    for (const { result } of others) await expect(result).rejects.toMatchObject({ status: 503 })
    expect(sent).toEqual([[SELECT], [SELECT, SELECT]])
  })

  it('go on when the request that sent them has gone', async () => {
    const { sent, request } = isolate(({ run }, index) => (index < 2 ? new Promise(() => {}) : run()))
    request(SELECT, 1)
    await turn()
    request(SELECT, 2)
    const follower = request(SELECT, 3)
    expect(await follower.result).toEqual([{ value: 3 }])
    expect(sent).toEqual([[SELECT], [SELECT, SELECT], [SELECT]])
  })
})
