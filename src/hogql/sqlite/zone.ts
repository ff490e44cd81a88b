// Time zones in SQLite, which knows none: when a zone's clocks change is found out here, and goes into the query as a list, or as a tree of conditions.
import { HogqlError } from '../error'
import type { SqliteZone } from '../functions/spec'
import { LruCache } from '../../lru-cache'
import { toWall } from '../../time/zone'
import { once } from './once'

/** Clocks changed before and will after these years as well; moments of then go by the first and the last of their offsets. */
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

/** Zones whose changes are kept: some 4 KB each, under any spelling of their names. */
const MAX_ZONES = 100
const known = new LruCache<string, readonly Change[]>(MAX_ZONES)

/** Writes a text as a bound parameter. */
type Bind = (text: string) => string

/** The zone of that IANA name, as one query writes it. @throws HogqlError when there is none */
export function zoneNamed(name: string, bind: Bind): SqliteZone {
  const changes = known.get(name) ?? changesOf(name)
  known.set(name, changes, 1)
  return changes.length === 1 ? fixedZone(name, changes[0]?.offset ?? 0) : changingZone(name, changes, bind)
}

function isZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

const offsetAt = (instant: number, name: string): number => (toWall(instant, name) - instant) / 1000

/** The changes of a zone's clocks, in order. @throws HogqlError when there is no such zone */
export function changesOf(name: string): Change[] {
  if (!isZone(name)) throw new HogqlError(`There is no time zone '${name}'.`)
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

/** SQL for a moment as SQL for another text. */
type Move = (moment: string) => string

/** SQL for the modifier that moves a datetime. The first is the datetime as it stands in the query, the second what may be repeated. */
type Shift = (moment: string, at: string) => string

const clockBy =
  (shift: Shift): Move =>
  (moment) =>
    once(moment, (at) => moved(at, shift(moment, at)))

const dayBy =
  (shift: Shift): Move =>
  (moment) =>
    once(moment, (at) => `date(substr(${at}, 1, 19), ${shift(moment, at)})`)

function fixedZone(name: string, offset: number): SqliteZone {
  const isUtc = offset === 0
  const by = (seconds: number): Move => (isUtc ? (sql) => sql : clockBy(() => `'${seconds} seconds'`))
  return {
    name,
    isUtc,
    wholeHours: offset % HOUR === 0,
    toLocal: by(offset),
    toDay: isUtc ? (moment) => `substr(${moment}, 1, 10)` : dayBy(() => `'${offset} seconds'`),
    toUtc: by(-offset),
    startToUtc: by(-offset),
  }
}

function changingZone(name: string, changes: readonly Change[], bind: Bind): SqliteZone {
  const wholeHours = changes.every(({ offset }) => offset % HOUR === 0)
  const [unit, seconds] = wholeHours ? ['hours', HOUR] : ['seconds', 1]
  /** The shift at a datetime, found by when each offset begins, as clocks show it that are as far from UTC as `clock` says. */
  const shiftBy = (sign: 1 | -1, clock: (before: number, after: number) => number): Shift => {
    const thresholds = changes.map(({ from, offset }, index): Threshold => [
      textOf(from + clock(changes[index - 1]?.offset ?? offset, offset) * 1000),
      (offset / seconds) * sign,
    ])
    return (moment, at) => {
      const found = isConstant(moment) ? lookup(at, bind(JSON.stringify(thresholds))) : choose(at, thresholds)
      return `${found} || ' ${unit}'`
    }
  }
  const offset = shiftBy(1, () => 0)
  return {
    name,
    isUtc: false,
    wholeHours,
    toLocal: clockBy(offset),
    toDay: dayBy(offset),
    toUtc: clockBy(shiftBy(-1, (before) => before)),
    startToUtc: clockBy(shiftBy(-1, Math.max)),
  }
}

/**
 * The start of a datetime, as far as it is needed (`2026-03-29T01`: all of that hour comes after it), and what a datetime is moved by from
 * then on.
 */
type Threshold = readonly [from: string, shift: number]

function textOf(instant: number): string {
  if (!Number.isFinite(instant)) return ''
  return new Date(instant).toISOString().slice(0, 16).replace(/:00$/, '')
}

/** Columns but those of the list below, and what stands for something of the rows. */
const OF_ROWS = /(?<!\bz)\.["a-z]|\b[cgx]\d|[⟦⟪⟨]/i

/** Whether a moment is the same for all rows. Names that it gives itself, in `once`, are no columns. */
function isConstant(moment: string): boolean {
  const isOwn = (name: string) => moment.includes(` AS ${name})`)
  return !OF_ROWS.test(moment) && (moment.match(/\bv\d+\b/g) ?? []).every(isOwn)
}

/** The shift of the last threshold that is not after a datetime, found in a list: short to write, and slow but for a few moments. */
const lookup = (at: string, thresholds: string): string =>
  `(SELECT z.value ->> 1 FROM json_each(${thresholds}) AS z WHERE z.value ->> 0 <= ${at} ORDER BY z.key DESC LIMIT 1)`

/** The same found by halves, in the query's own text: long, and fast for every row. */
function choose(at: string, thresholds: readonly Threshold[]): string {
  const [first] = thresholds
  if (thresholds.length === 1 && first) return String(first[1])
  const half = Math.floor(thresholds.length / 2)
  const [before, after] = [thresholds.slice(0, half), thresholds.slice(half)]
  return `iif(${at}<'${after[0]?.[0]}',${choose(at, before)},${choose(at, after)})`
}
