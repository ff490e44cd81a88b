// Bodies that are small on the wire and large in memory: what is inflated, reserved and parsed is counted.
import * as fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  createRequestMemory,
  MAX_LOADING_MEMORY,
  MAX_REQUEST_MEMORY,
} from '../../src/http/limits/request-memory'
import {
  CAPTURE_BODY,
  MAX_CAPTURE_VALUES,
  parseSdkBody,
  SMALL_BODY,
  type BodyLimits,
} from '../../src/sdk/body/read-body'
import { unknownToken } from '../../src/sdk/project-token'
import {
  MAX_UNKNOWN_BYTES,
  MAX_UNKNOWN_ENCODED_BYTES,
  PREFIX_BYTES,
  readText,
} from '../../src/sdk/body/read-text'
import { sleep } from '../../src/deadline'
import { bodyPieces, MAX_BODY_WAIT_MS, MAX_PIECE_WAIT_MS, wholeBody } from '../../src/http/body/body-pieces'
import { createTenant, type Tenant } from '../support/tenant'

const MIB = 1024 * 1024
const gzip = async (text: string | Uint8Array) =>
  new Uint8Array(
    await new Response(new Blob([text]).stream().pipeThrough(new CompressionStream('gzip'))).arrayBuffer(),
  )
const base64 = (bytes: Uint8Array | string) => Buffer.from(bytes).toString('base64')

/** Reads a body, and tells how many bytes of text it came to before it ended or was rejected. */
async function read(
  raw: BodyInit,
  limits: BodyLimits,
  checkStart: (start: string) => Promise<boolean> = async () => true,
) {
  const memory = createRequestMemory()
  let counted = 0
  const lease = memory.open()
  const reading = {
    limits,
    lease: {
      ...lease,
      take(bytes: number) {
        counted += bytes
        lease.take(bytes)
      },
    },
    checkStart,
  }
  const request = new Request('https://halyard.test/flags/', { method: 'POST', body: raw })
  const outcome = await parseSdkBody(request, new URL(request.url), reading).then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  )
  lease.release()
  return { ...outcome, counted, reserved: memory.reserved }
}

const refused = (status: number, message: unknown = expect.any(String)) =>
  expect.objectContaining({ status, message })

describe('a body that inflates to more than its limit', () => {
  it('is inflated up to the limit, and no further', async () => {
    const bomb = await gzip(new Uint8Array(64 * MIB).fill(0x20))
    for (const raw of [bomb, base64(bomb), `data=${encodeURIComponent(base64(bomb))}`]) {
      const { error, counted, reserved } = (await read(raw, SMALL_BODY)) as {
        error: unknown
        counted: number
        reserved: number
      }
      expect(error).toEqual(refused(413, 'Request body exceeds the maximum of 1048576 bytes.'))
      // What was sent, its parts, and what was inflated of it.
      expect(counted).toBeLessThanOrEqual(4 * MIB)
      expect(reserved).toBe(0)
    }
  })

  it('is rejected at 1 MiB everywhere but where events are taken', async () => {
    const tenant = await createTenant()
    const raw = await gzip(JSON.stringify({ token: tenant.projectToken, distinct_id: 'a'.repeat(2 * MIB) }))
    for (const path of ['/flags/?v=2', '/decide/?v=3']) {
      const response = await tenant.send('POST', path, { raw })
      expect(response.status).toBe(413)
      expect(response.body).toEqual({
        type: 'invalid_request',
        code: 'request_too_large',
        detail: 'Request body exceeds the maximum of 1048576 bytes.',
        attr: null,
      })
    }
    const ofrep = await tenant.send('POST', '/ofrep/v1/evaluate/flags', {
      raw,
      headers: { Authorization: `Bearer ${tenant.projectToken}` },
    })
    expect(ofrep.status).toBe(413)
    expect((await tenant.send('POST', '/batch/', { raw })).status).not.toBe(413)
  })
})

describe('inflating', () => {
  it('goes no further than its reader asks', async () => {
    const bomb = await gzip(new Uint8Array(64 * MIB))
    let asked = 0
    async function* pieces() {
      for (let at = 0; at < bomb.byteLength; at += 1_024) {
        asked += 1
        yield bomb.subarray(at, at + 1_024)
      }
    }
    const lease = createRequestMemory().open()
    const reading = readText(pieces(), MIB, { lease, checkStart: async () => true })
    await expect(reading).rejects.toMatchObject({ status: 413 })
    // All that was sent is small, and 1 MiB of it is inflated.
    expect(asked).toBe(Math.ceil(bomb.byteLength / 1_024))
  })

  it('decompresses a body in pieces of any size', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: fc.constantFrom('a', 'é', '😀', '{'), maxLength: 200 }),
        fc.nat(2_000),
        fc.integer({ min: 1, max: 5_000 }),
        async (text, times, size) => {
          const whole = text.repeat(times)
          const bytes = await gzip(whole)
          async function* pieces() {
            for (let at = 0; at < bytes.byteLength; at += size) yield bytes.subarray(at, at + size)
          }
          const lease = createRequestMemory().open()
          expect(await readText(pieces(), 8 * MIB, { lease, checkStart: async () => true })).toBe(whole)
        },
      ),
      { numRuns: 30 },
    )
  })
})

describe('a body of many values', () => {
  const many = (count: number, piece: string) => `[${Array.from({ length: count }, () => piece).join(',')}]`

  it.each(['0', '{}', '[]', '{"a":0}'])('is not parsed: %s', async (piece) => {
    const { error, counted } = (await read(many(150_000, piece), { ...SMALL_BODY, maxBytes: 2 * MIB })) as {
      error: unknown
      counted: number
    }
    expect(error).toEqual(refused(413, 'Request body exceeds the maximum of 100000 JSON values.'))
    expect(counted).toBeLessThanOrEqual(2 * MIB)
  })

  it('counts with its parsed size', async () => {
    const { counted } = await read(many(90_000, '0'), SMALL_BODY)
    expect(counted).toBeGreaterThanOrEqual(90_000 * 50)
  })

  it('is rejected by an API too, and by one that takes events past its own limit', async () => {
    const tenant = await createTenant()
    const response = await tenant.post(tenant.flags('bulk_update_tags'), {
      ids: Array.from({ length: 100_001 }, () => 1),
    })
    expect(response.status).toBe(413)
    expect(response.body.detail ?? response.body.error).toBe(
      'Request body exceeds the maximum of 100000 JSON values.',
    )
    const events = await read(many(MAX_CAPTURE_VALUES + 1, '0'), CAPTURE_BODY)
    expect(events).toMatchObject({ error: refused(413) })
  })
})

describe('a large body with an unknown token', () => {
  const padded = (token: string, bytes: number) =>
    JSON.stringify({ api_key: token, batch: [], padding: 'x'.repeat(bytes) })

  it('is rejected before it is inflated', async () => {
    const raw = await gzip(padded('phc_nobody', 15 * MIB))
    const { error, counted } = (await read(raw, CAPTURE_BODY, async (start) => {
      expect(start.startsWith('{"api_key":"phc_nobody"')).toBe(true)
      expect(start.length).toBe(PREFIX_BYTES)
      throw unknownToken('phc_nobody')
    })) as { error: unknown; counted: number }
    expect(error).toMatchObject({ status: 401 })
    expect(counted).toBeLessThanOrEqual(raw.byteLength + PREFIX_BYTES + 64 * 1024)
  })

  const send = (tenant: Tenant, raw: BodyInit, path = '/batch/') => tenant.send('POST', path, { raw })

  it('is answered as a small one is', async () => {
    const tenant = await createTenant()
    const large = await send(tenant, await gzip(padded('phc_nobody', MIB)))
    const small = await send(tenant, await gzip(padded('phc_nobody', 10)))
    expect([large.status, large.body]).toEqual([small.status, small.body])
    expect(large.status).toBe(401)
    expect((await send(tenant, padded('phc_nobody', MIB), '/e/')).status).toBe(401)
  })

  it('is read when the token at its start or in its URL is known, or absent', async () => {
    const tenant = await createTenant()
    const isRead = async (raw: string, path?: string) => (await send(tenant, raw, path)).status !== 401
    const { projectToken } = tenant
    expect(await isRead(padded(projectToken, MIB))).toBe(true)
    const without = JSON.stringify({ padding: 'x'.repeat(MIB), batch: [] })
    expect(await isRead(without, `/batch/?token=${projectToken}`)).toBe(true)
    expect(await isRead(without, '/batch/?token=phc_nobody')).toBe(false)
    const both = { token: 'phc_nobody', api_key: projectToken, padding: 'x'.repeat(MIB), batch: [] }
    expect(await isRead(JSON.stringify(both))).toBe(true)
    const last = { padding: 'x'.repeat(MIB), batch: [], api_key: projectToken }
    expect(await isRead(JSON.stringify(last))).toBe(true)
  })

  it('costs a look-up for three tokens at most', async () => {
    const tenant = await createTenant()
    const tokens = Array.from({ length: 2_000 }, (_, index) => `"token":"phc_${index}"`)
    const { status, line } = await send(tenant, `{${tokens.join(',')},"padding":"${'x'.repeat(MIB)}"}`)
    expect([status, line.d1_round_trips]).toEqual([401, 3])
  })
})

describe('a large body without a known token at its start', () => {
  const unknown = async () => false

  it('may have 6 MiB of JSON', async () => {
    const json = (bytes: number) => JSON.stringify({ batch: 'x'.repeat(bytes), api_key: 'phc_last' })
    for (const encode of [(text: string) => text, gzip]) {
      expect(await read(await encode(json(MAX_UNKNOWN_BYTES - 100)), CAPTURE_BODY, unknown)).toHaveProperty(
        'value',
      )
      expect(await read(await encode(json(MAX_UNKNOWN_BYTES)), CAPTURE_BODY, unknown)).toHaveProperty(
        'error',
        refused(
          413,
          'Request body exceeds the maximum of 6291456 bytes without a known token in its first 64 KiB.',
        ),
      )
    }
  })

  it('may have 1 MiB of a form or of base64, and is not inflated further', async () => {
    const bytes = 20 * MIB - 10
    const texts = ['A'.repeat(bytes), `data=x${'&a=b'.repeat(bytes / 4)}`, `data=${'%25'.repeat(bytes / 3)}`]
    for (const text of texts) {
      const { error, counted } = (await read(await gzip(text), CAPTURE_BODY, unknown)) as {
        error: unknown
        counted: number
      }
      expect(error).toEqual(
        refused(
          413,
          'Request body exceeds the maximum of 1048576 bytes without a known token in its first 64 KiB.',
        ),
      )
      expect(counted).toBeLessThanOrEqual(MAX_UNKNOWN_ENCODED_BYTES + 200 * 1024)
    }
  })
})

describe('a body that stalls', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
  afterEach(() => void vi.useRealTimers())

  /** A stream that gives pieces and then nothing, and says whether it was cancelled. */
  function stalled(pieces: readonly Uint8Array[]) {
    const left = [...pieces]
    const state = { isCancelled: false }
    const stream = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        const piece = left.shift()
        if (piece) controller.enqueue(piece)
        return piece ? undefined : new Promise(() => {})
      },
      cancel: () => void (state.isCancelled = true),
    })
    return { stream, state }
  }

  const readAll = async (pieces: AsyncIterable<Uint8Array>) => {
    for await (const _ of pieces);
  }
  const late = refused(
    408,
    'The request body was not received in time: it may pause for 5 seconds, and take 30 seconds together.',
  )

  it('is rejected with 408, and no longer read', async () => {
    const { stream, state } = stalled([new Uint8Array(10)])
    const reading = expect(readAll(bodyPieces(stream))).rejects.toEqual(late)
    await vi.advanceTimersByTimeAsync(MAX_PIECE_WAIT_MS)
    await reading
    expect(state.isCancelled).toBe(true)
  })

  it('is rejected with 408 when it takes too long as a whole', async () => {
    const stream = new ReadableStream<Uint8Array>({
      async pull(controller) {
        await sleep(2_000)
        controller.enqueue(new Uint8Array(1))
      },
    })
    const reading = expect(readAll(bodyPieces(stream))).rejects.toEqual(late)
    for (let ms = 0; ms <= MAX_BODY_WAIT_MS; ms += 1_000) {
      await vi.advanceTimersByTimeAsync(1_000)
      await scheduler.wait(1)
    }
    await reading
  })

  it('reserves no more than what it has sent, and nothing that flags need', async () => {
    const memory = createRequestMemory()
    const compressed = await gzip(`{"x":"${'x'.repeat(19 * MIB)}`)
    const ends = Array.from({ length: 5 }, async () => {
      const { stream } = stalled([compressed.subarray(0, -100)])
      const reading = { lease: memory.open(), checkStart: async () => false }
      await readText(bodyPieces(stream), 20 * MIB, reading)
    })
    const outcomes = Promise.allSettled(ends)
    await vi.advanceTimersByTimeAsync(MAX_PIECE_WAIT_MS - 1)
    expect(memory.reserved).toBe(0)
    await vi.advanceTimersByTimeAsync(1)
    const reason = expect.objectContaining({ status: 408 })
    expect(await outcomes).toEqual(Array.from({ length: 5 }, () => ({ status: 'rejected', reason })))
  })

  it('takes no memory of the flags that are loaded beside it', () => {
    // With the caches of an isolate, both fit into its memory.
    expect(MAX_REQUEST_MEMORY + MAX_LOADING_MEMORY).toBe(40 * MIB)
  })
})

describe('a client that disconnects while it sends', () => {
  const lost = () =>
    new ReadableStream<Uint8Array>({
      pull: (controller) => controller.error(new Error('Network connection lost.')),
    })
  const request = () => new Request('https://halyard.test/batch/', { method: 'POST', body: lost() })
  const incomplete = refused(400, 'JSON parse error - the connection was closed before the end of the body')

  it('is a 400, which is no error of the service', async () => {
    await expect(bodyPieces(lost()).next()).rejects.toEqual(incomplete)
    await expect(wholeBody(request())).rejects.toEqual(incomplete)
    expect(await read(lost(), CAPTURE_BODY)).toMatchObject({ error: incomplete })
  })
})

describe('many large bodies at the same time', () => {
  it('are rejected past the memory of an isolate, and small ones are not', async () => {
    const memory = createRequestMemory()
    const leases = Array.from({ length: 40 }, () => memory.open())
    let refusals = 0
    for (const lease of leases) {
      try {
        for (let piece = 0; piece < 5; piece += 1) lease.take(MIB)
      } catch {
        refusals += 1
        lease.release()
      }
      expect(memory.reserved).toBeLessThanOrEqual(MAX_REQUEST_MEMORY)
    }
    expect(refusals).toBe(36)
    memory.open().take(64 * 1024)
  })
})
