// The functions that give the start of a unit of time.
import type { Unit } from '../types'

export const START_OF: Readonly<Record<Unit, string>> = {
  second: 'toStartOfSecond',
  minute: 'toStartOfMinute',
  hour: 'toStartOfHour',
  day: 'toStartOfDay',
  week: 'toMonday',
  month: 'toStartOfMonth',
  quarter: 'toStartOfQuarter',
  year: 'toStartOfYear',
}
