// Converts wall clock time in an IANA time zone to an instant and back.

import { LruCache } from '../lru-cache'
import { wallMilliseconds } from './calendar'

const DAY = 86_400_000

/** The most cached zones. A formatter takes some 50 KB outside of the heap. */
const MAX_ZONES = 50
/** The most cached moments of a zone. Many flags of one request read the same few. */
const MAX_MOMENTS = 500

/** Cached facts of a zone: its formatter is costly to build and slow to use. */
interface Zone {
  readonly formatter: Intl.DateTimeFormat
  /** The offset from UTC in milliseconds, by whole second in epoch milliseconds. */
  readonly offsets: LruCache<number, number>
  /** The instant by wall time. It is null for a wall time that the clocks skip. */
  readonly instants: LruCache<number, number | null>
}

/** Cached zones by name. The entry is null for UTC, and for an invalid name, which is read as UTC. */
const zones = new LruCache<string, Zone | null>(MAX_ZONES)

function zoneOf(name: string): Zone | null {
  if (name === 'UTC') return null
  const known = zones.get(name)
  return known === undefined ? remember(zones, name, buildZone(name)) : known
}

function remember<Key, Value>(memo: LruCache<Key, Value>, key: Key, value: Value): Value {
  memo.set(key, value, 1)
  return value
}

function buildZone(name: string): Zone | null {
  try {
    const formatter = new Intl.DateTimeFormat('en-US', {
      timeZone: name,
      hourCycle: 'h23',
      era: 'short',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
    return { formatter, offsets: new LruCache(MAX_MOMENTS), instants: new LruCache(MAX_MOMENTS) }
  } catch {
    return null
  }
}

/** Returns whether there is an IANA time zone of that name. Offsets such as `+01:00` are none. */
export function isZoneName(name: string): boolean {
  try {
    return (
      /^[A-Za-z]/.test(name) &&
      new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
    )
  } catch {
    return false
  }
}

/**
 * Returns the wall time of a zone at `instant` (epoch ms), as milliseconds of the same fields read as UTC. The fraction of a second is
 * kept.
 */
export function toWall(instant: number, zoneName: string): number {
  const zone = zoneOf(zoneName)
  return zone === null ? instant : instant + offsetAt(zone, Math.floor(instant / 1000) * 1000)
}

function offsetAt({ formatter, offsets }: Zone, second: number): number {
  const known = offsets.get(second)
  if (known !== undefined) return known
  // An instant beyond the range of the platform's calendar has no useful offset.
  const offset = Number.isFinite(new Date(second).getTime()) ? wallAt(formatter, second) - second : 0
  return remember(offsets, second, offset)
}

function wallAt(formatter: Intl.DateTimeFormat, second: number): number {
  const fields = new Map(formatter.formatToParts(second).map((part) => [part.type, part.value]))
  const number = (name: Intl.DateTimeFormatPartTypes): number => Number(fields.get(name))
  const year = fields.get('era')?.startsWith('B') === true ? 1 - number('year') : number('year')
  return wallMilliseconds(
    year,
    number('month'),
    number('day'),
    number('hour'),
    number('minute'),
    number('second'),
  )
}

/**
 * Returns the instant (epoch ms) at which the clocks of a zone show `wall`. It is the earlier one when clocks are put back and show it
 * twice, and null when they are put forward and never show it.
 */
export function fromWall(wall: number, zoneName: string): number | null {
  const zone = zoneOf(zoneName)
  if (zone === null) return wall
  const known = zone.instants.get(wall)
  return known === undefined ? remember(zone.instants, wall, earliestAt(wall, zoneName)) : known
}

function earliestAt(wall: number, zoneName: string): number | null {
  let earliest: number | null = null
  for (const probe of [wall - DAY, wall + DAY]) {
    const instant = wall - (toWall(probe, zoneName) - probe)
    if (toWall(instant, zoneName) !== wall) continue
    earliest = earliest === null ? instant : Math.min(earliest, instant)
  }
  return earliest
}
