// Wall clock time in an IANA time zone, to an instant and back.

import { wallMilliseconds } from './calendar'

const DAY = 86_400_000

/** One formatter a zone, built once: constructing one costs far more than using it. Zones are few hundred. */
const formatters = new Map<string, Intl.DateTimeFormat | null>()

/** The formatter of a zone; null for UTC, and for a name that is no zone, which is read as UTC. */
function formatterOf(zone: string): Intl.DateTimeFormat | null {
  const known = formatters.get(zone)
  if (known !== undefined) return known
  const formatter = buildFormatter(zone)
  if (formatter !== null || zone === 'UTC') formatters.set(zone, formatter)
  return formatter
}

function buildFormatter(zone: string): Intl.DateTimeFormat | null {
  if (zone === 'UTC') return null
  try {
    return new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      era: 'short',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
  } catch {
    return null
  }
}

/**
 * What the clocks of `zone` show at `instant` (epoch ms), as milliseconds of the same fields read as UTC.
 * The fraction of a second is kept.
 */
export function toWall(instant: number, zone: string): number {
  const formatter = formatterOf(zone)
  if (formatter === null) return instant
  const seconds = Math.floor(instant / 1000) * 1000
  if (!Number.isFinite(new Date(seconds).getTime())) return instant
  const field = new Map(formatter.formatToParts(seconds).map((part) => [part.type, part.value]))
  const number = (name: Intl.DateTimeFormatPartTypes): number => Number(field.get(name))
  const year = field.get('era')?.startsWith('B') === true ? 1 - number('year') : number('year')
  const wall = wallMilliseconds(
    year,
    number('month'),
    number('day'),
    number('hour'),
    number('minute'),
    number('second'),
  )
  return wall + (instant - seconds)
}

/**
 * The instant (epoch ms) at which the clocks of `zone` show `wall`: the earlier one where clocks are put back and
 * show it twice, null where they are put forward and never show it (§3.8).
 */
export function fromWall(wall: number, zone: string): number | null {
  if (formatterOf(zone) === null) return wall
  let earliest: number | null = null
  for (const probe of [wall - DAY, wall + DAY]) {
    const instant = wall - (toWall(probe, zone) - probe)
    if (toWall(instant, zone) !== wall) continue
    earliest = earliest === null ? instant : Math.min(earliest, instant)
  }
  return earliest
}
