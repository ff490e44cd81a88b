// The units that a query names in text: 'day', 'days', 'dd'.
import type { Literal } from '../../ir'
import { UNITS, type Unit } from '../../types'
import { refuse } from '../refuse'

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

/** The unit of that name. @throws HogqlError when there is none, or it is no constant */
export function unitOf(constant: Literal | undefined, name: string): Unit {
  if (typeof constant !== 'string')
    return refuse(`The unit of '${name}' has to be a constant text, such as 'day'.`)
  const word = constant.toLowerCase()
  const unit =
    UNITS.find((each) => each === word || `${each}s` === word) ??
    (Object.hasOwn(SHORT, word) ? SHORT[word] : undefined)
  return unit ?? refuse(`'${name}' knows no unit '${constant}'. It takes ${UNITS.join(', ')}.`)
}

/** Units that are a matter of the calendar, not of so many seconds: a day of a time zone can have 23 hours. */
export const isCalendar = (unit: Unit): boolean => unit !== 'second' && unit !== 'minute' && unit !== 'hour'
