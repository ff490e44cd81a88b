// Time zones in SQLite, which knows none: the changes of a zone's clocks are looked up here and written into the query as a tree of CASEs.
import { HogqlError } from '../error'
import type { SqliteZone } from '../functions/spec'
import { toWall } from '../../flags/evaluation/values/zone'
import { once } from './once'

/** Clocks changed before and after these years as well; moments of then are read by the first and the last offset. */
const FIRST = Date.UTC(2000, 0, 1)
const LAST = Date.UTC(2051, 0, 1)

/** No zone changes its clocks twice within this time. */
const STEP = 10 * 86_400_000

/** From `from` on, clocks are `offset` seconds east of UTC. */
export interface Change {
  /** Epoch milliseconds; minus infinity for the first. */
  from: number
  offset: number
}

const zones = new Map<string, SqliteZone>([['UTC', fixedZone('UTC', 0)]])

/** The zone of that IANA name. @throws HogqlError when there is none */
export function zoneNamed(name: string): SqliteZone {
  const known = zones.get(name)
  if (known) return known
  if (!isZone(name)) throw new HogqlError(`There is no time zone '${name}'.`)
  const changes = changesOf(name)
  const [first] = changes
  const zone = first && changes.length === 1 ? fixedZone(name, first.offset) : changingZone(name, changes)
  zones.set(name, zone)
  return zone
}

function isZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

const offsetAt = (instant: number, name: string): number => (toWall(instant, name) - instant) / 1000

/** The changes of a zone's clocks, in order. */
export function changesOf(name: string): Change[] {
  const changes: Change[] = [{ from: Number.NEGATIVE_INFINITY, offset: offsetAt(FIRST, name) }]
  let offset = offsetAt(FIRST, name)
  for (let instant = FIRST; instant < LAST; instant += STEP) {
    const next = offsetAt(instant + STEP, name)
    if (next !== offset) changes.push({ from: changeBetween(instant, instant + STEP, name), offset: next })
    offset = next
  }
  return changes
}

/** The first whole minute of the offset that holds at `high`. */
function changeBetween(low: number, high: number, name: string): number {
  const after = offsetAt(high, name)
  let [before, from] = [low / 60_000, high / 60_000]
  while (from - before > 1) {
    const middle = Math.floor((before + from) / 2)
    if (offsetAt(middle * 60_000, name) === after) from = middle
    else before = middle
  }
  return from * 60_000
}

const HOUR = 3600

/** A moment of a datetime's form, moved by so many seconds. The fraction stays as it is. */
const moved = (moment: string, seconds: string): string =>
  `(strftime('%Y-%m-%dT%H:%M:%S', substr(${moment}, 1, 19), ${seconds}) || substr(${moment}, 20))`

function fixedZone(name: string, offset: number): SqliteZone {
  const isUtc = offset === 0
  return {
    name,
    isUtc,
    wholeHours: offset % HOUR === 0,
    toLocal: (moment) => (isUtc ? moment : once(moment, (at) => moved(at, `'${offset} seconds'`))),
    toUtc: (local) => (isUtc ? local : once(local, (at) => moved(at, `'${-offset} seconds'`))),
    offset: () => String(offset),
  }
}

function changingZone(name: string, changes: readonly Change[]): SqliteZone {
  const instants = changes.map(({ from, offset }) => ({ from: textOf(from), offset }))
  // What clocks show when they change: put forward, the skipped hour still counts as before; put back, the hour counts the first time.
  const walls = changes.map(({ from, offset }, index) => {
    const before = changes[index - 1]?.offset ?? offset
    return { from: textOf(from + Math.max(before, offset) * 1000), offset }
  })
  const seconds = (offset: number, sign: 1 | -1) => `'${offset * sign} seconds'`
  return {
    name,
    isUtc: false,
    wholeHours: changes.every(({ offset }) => offset % HOUR === 0),
    toLocal: (moment) =>
      once(moment, (at) =>
        moved(
          at,
          choose(at, instants, (offset) => seconds(offset, 1)),
        ),
      ),
    toUtc: (local) =>
      once(local, (at) =>
        moved(
          at,
          choose(at, walls, (offset) => seconds(offset, -1)),
        ),
      ),
    offset: (moment) => once(moment, (at) => choose(at, instants, String)),
  }
}

interface Threshold {
  /** The start of a stored moment, as many characters as are needed. */
  from: string
  offset: number
}

/** The last threshold that is not after a moment, found by halves. */
function choose(moment: string, thresholds: readonly Threshold[], write: (offset: number) => string): string {
  const [first] = thresholds
  if (!first) return 'NULL'
  if (thresholds.length === 1) return write(first.offset)
  const half = Math.floor(thresholds.length / 2)
  const from = thresholds[half]?.from ?? ''
  const before = choose(moment, thresholds.slice(0, half), write)
  const after = choose(moment, thresholds.slice(half), write)
  return `CASE WHEN ${moment} < '${from}' THEN ${before} ELSE ${after} END`
}

/** Without the zeros at the end: `2026-03-29T01`. A moment of that hour comes after it. */
function textOf(instant: number): string {
  if (!Number.isFinite(instant)) return ''
  return new Date(instant).toISOString().slice(0, 16).replace(/:00$/, '')
}
