// Time zones in SQL on D1, compared with Intl.
import { env } from 'cloudflare:workers'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fromWall, toWall } from '../../../src/time/zone'
import { HogqlError } from '../../../src/hogql/error'
import { letBinding } from '../../../src/hogql/sqlite/context'
import { changesOf, zoneNamed } from '../../../src/hogql/sqlite/zone'
import { toStoredTimestamp } from '../../../src/timestamps'

const ZONES = [
  'America/New_York',
  'Europe/Berlin',
  'Asia/Kolkata',
  'Australia/Lord_Howe',
  'Africa/Casablanca',
  'Africa/Cairo',
  'America/Sao_Paulo',
  'Pacific/Apia',
  'Asia/Kathmandu',
  'Etc/UTC',
]

const HOUR = 3_600_000
const [FIRST, LAST] = [Date.UTC(2000, 0, 2), Date.UTC(2050, 11, 30)]

const text = (instant: number) => toStoredTimestamp(new Date(instant))

const zoneOf = (name: string) => zoneNamed(name, { bind: (table) => `'${table}'`, once: letBinding() })

/** Moments all over the range, and many within hours of a change of the clocks. */
const momentsOf = (zone: string) => {
  const changes = changesOf(zone).flatMap(({ from }) => (Number.isFinite(from) ? [from] : []))
  const anywhere = fc.integer({ min: FIRST, max: LAST })
  if (changes.length === 0) return anywhere
  const near = fc
    .tuple(fc.constantFrom(...changes), fc.integer({ min: -30 * HOUR, max: 30 * HOUR }))
    .map(([change, distance]) => Math.min(LAST, Math.max(FIRST, change + distance)))
  return fc.oneof(anywhere, near)
}

/** Some moments through a piece of SQL, in one query. */
async function through(write: (moment: string) => string, moments: readonly string[]): Promise<string[]> {
  const { results } = await env.DB.prepare(
    `SELECT ${write('m."value"')} AS answer FROM json_each(?1) AS m ORDER BY m."key"`,
  )
    .bind(JSON.stringify(moments))
    .all<{ answer: string }>()
  return results.map(({ answer: result }) => result)
}

describe.each(ZONES)('%s', (name) => {
  const zone = zoneOf(name)
  const samples = (seed: number) => fc.sample(momentsOf(name), { numRuns: 300, seed })

  it('converts timestamps to local time', async () => {
    const moments = samples(1)
    expect(await through(zone.toLocal, moments.map(text))).toEqual(
      moments.map((at) => text(toWall(at, name))),
    )
    expect(await through(zone.toDay, moments.map(text))).toEqual(
      moments.map((at) => text(toWall(at, name)).slice(0, 10)),
    )
  })

  it('finds the first timestamp of a local time', async () => {
    const walls = samples(2).filter((wall) => fromWall(wall, name) !== null)
    const moments = walls.map((wall) => text(fromWall(wall, name) ?? 0))
    expect(await through(zone.toUtc, walls.map(text))).toEqual(moments)
    expect(await through(zone.startToUtc, walls.map(text))).toEqual(moments)
  })

  it('finds a timestamp for a skipped local time', async () => {
    const skipped = samples(3).filter((wall) => fromWall(wall, name) === null)
    const [early, late] = [
      await through(zone.toUtc, skipped.map(text)),
      await through(zone.startToUtc, skipped.map(text)),
    ]
    for (const [place, wall] of skipped.entries()) {
      const [before, after] = [
        toWall(wall - 24 * HOUR, name) - (wall - 24 * HOUR),
        toWall(wall + 24 * HOUR, name) - (wall + 24 * HOUR),
      ]
      // As if put forward already, and as if not yet; a zone may change its clocks again within a day.
      if (after > before)
        expect([early[place], late[place]]).toEqual([text(wall - after), text(wall - before)])
    }
  })

  it('finds the start of a day', async () => {
    const days = samples(4).map((at) => text(at).slice(0, 10))
    const starts = await through((day) => zone.startToUtc(`(${day} || 'T00:00:00.000000Z')`), days)
    for (const [place, start] of starts.entries()) {
      const at = Date.parse(start)
      const shown = text(toWall(at, name)).slice(0, 10)
      const justBefore = text(toWall(at - 1000, name)).slice(0, 10)
      // A day that is left out altogether has no start: Samoa went from the 29th to the 31st.
      if (shown === days[place]) expect(justBefore < shown).toBe(true)
      else expect(name).toBe('Pacific/Apia')
    }
  })
})

describe('zones', () => {
  it('with a fixed offset cost one addition', () => {
    expect(zoneOf('Etc/UTC').toLocal('x')).toBe('x')
    expect(zoneOf('Asia/Kolkata').toLocal('x')).toContain("'19800 seconds'")
    expect(zoneOf('Asia/Kolkata').wholeHours).toBe(false)
    expect(zoneOf('Europe/Berlin').wholeHours).toBe(true)
  })

  it.each(['America/New_York', 'Africa/Casablanca'])('with changing offsets are short SQL: %s', (name) => {
    const zone = zoneNamed(name, { bind: () => '?1', once: letBinding() })
    expect(zone.toLocal('v1').length).toBeLessThan(500)
  })

  it('that do not exist are rejected', () => {
    expect(() => zoneOf("UTC'); DROP TABLE events --")).toThrow(HogqlError)
  })
})
