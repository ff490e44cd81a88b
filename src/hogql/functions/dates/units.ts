import type { Literal } from '../../ir'
import { UNITS, type Unit } from '../../types'
import { reject } from '../../error'

const SHORT: Readonly<Record<string, Unit>> = {
  ss: 'second',
  s: 'second',
  mi: 'minute',
  n: 'minute',
  hh: 'hour',
  h: 'hour',
  dd: 'day',
  d: 'day',
  wk: 'week',
  ww: 'week',
  mm: 'month',
  m: 'month',
  qq: 'quarter',
  q: 'quarter',
  yy: 'year',
  yyyy: 'year',
}

/**
 * Parses `day`, `days` or `dd`.
 * @throws HogqlError for a value that is not constant or not a unit
 */
export function parseUnit(constant: Literal | undefined, name: string): Unit {
  if (typeof constant !== 'string')
    return reject(null, `The unit of '${name}' has to be a constant text, such as 'day'.`)
  const word = constant.toLowerCase()
  const unit =
    UNITS.find((each) => each === word || `${each}s` === word) ??
    (Object.hasOwn(SHORT, word) ? SHORT[word] : undefined)
  return (
    unit ?? reject(null, `'${name}' does not support the unit '${constant}': it takes ${UNITS.join(', ')}.`)
  )
}

/** Whether the length of a unit depends on the calendar: a local day can have 23 hours. */
export const isCalendar = (unit: Unit): boolean => unit !== 'second' && unit !== 'minute' && unit !== 'hour'
