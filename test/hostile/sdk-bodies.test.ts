// Bodies that are small on the wire and large in memory: what is inflated, reserved and parsed is counted.
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createRequestMemory, MAX_REQUEST_MEMORY } from '../../src/http/limits/request-memory'
import {
  CAPTURE_BODY,
  MAX_CAPTURE_VALUES,
  parseSdkBody,
  SMALL_BODY,
  type BodyLimits,
} from '../../src/sdk/body/read-body'
import { unknownToken } from '../../src/sdk/project-token'
import { PREFIX_BYTES, readText } from '../../src/sdk/body/read-text'
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
  checkStart: (start: string) => Promise<void> = async () => {},
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
    const reading = readText(pieces(), MIB, { lease, checkStart: async () => {} })
    await expect(reading).rejects.toMatchObject({ status: 413 })
    // 1 MiB is inflated from a single piece; the others are taken because they are small, or wait in a buffer.
    expect(asked).toBeLessThanOrEqual(40)
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
          expect(await readText(pieces(), 8 * MIB, { lease, checkStart: async () => {} })).toBe(whole)
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
    expect(counted).toBeLessThanOrEqual(PREFIX_BYTES + 64 * 1024)
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
    expect(refusals).toBe(32)
    memory.open().take(64 * 1024)
  })
})
