// Time zones in SQLite, which knows none: the changes of a zone's clocks are looked up here and written into the query as a tree of CASEs.
import { HogqlError } from '../error'
import type { SqliteZone } from '../functions/spec'
import { toWall } from '../../flags/evaluation/values/zone'
import { once } from './once'

/** Clocks changed before and after these years as well; moments of then are read by the first and the last offset. */
const FIRST = Date.UTC(2000, 0, 1)
const LAST = Date.UTC(2051, 0, 1)

const HOUR = 3600

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

/** A moment of a datetime's form, moved by so many seconds. The fraction stays as it is. */
const moved = (moment: string, seconds: string): string =>
  `(strftime('%Y-%m-%dT%H:%M:%S', substr(${moment}, 1, 19), ${seconds}) || substr(${moment}, 20))`

function fixedZone(name: string, offset: number): SqliteZone {
  const isUtc = offset === 0
  const by = (seconds: number) => (sql: string) =>
    isUtc ? sql : once(sql, (at) => moved(at, `'${seconds} seconds'`))
  return {
    name,
    isUtc,
    wholeHours: offset % HOUR === 0,
    toLocal: by(offset),
    toUtc: by(-offset),
    startToUtc: by(-offset),
  }
}

function changingZone(name: string, changes: readonly Change[]): SqliteZone {
  /** When each offset begins, as clocks show it that are as far from UTC as `clock` says. */
  const thresholds = (clock: (before: number, after: number) => number): Threshold[] =>
    changes.map(({ from, offset }, index) => ({
      from: textOf(from + clock(changes[index - 1]?.offset ?? offset, offset) * 1000),
      offset,
    }))
  const by = (sign: 1 | -1, clock: (before: number, after: number) => number) => {
    const found = thresholds(clock)
    return (sql: string) =>
      once(sql, (at) =>
        moved(
          at,
          choose(at, found, (offset) => `'${offset * sign} seconds'`),
        ),
      )
  }
  return {
    name,
    isUtc: false,
    wholeHours: changes.every(({ offset }) => offset % HOUR === 0),
    toLocal: by(1, () => 0),
    toUtc: by(-1, (before) => before),
    startToUtc: by(-1, Math.max),
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
