// Defines the options of the form of an insight, with their labels.
import { rangeOptions } from '../../design/fields/time-range'

export const MATHS = [
  ['total', 'number of events'],
  ['dau', 'people'],
  ['sum', 'sum of'],
  ['avg', 'average of'],
  ['min', 'minimum of'],
  ['max', 'maximum of'],
] as const

export const RANGES = rangeOptions('-24h', '-7d', '-30d', '-90d', '-12m')

export const INTERVALS = [
  ['hour', 'Hour'],
  ['day', 'Day'],
  ['week', 'Week'],
  ['month', 'Month'],
] as const

export const UNITS = [
  ['minute', 'minutes'],
  ['hour', 'hours'],
  ['day', 'days'],
  ['week', 'weeks'],
] as const

export const DISPLAYS = [
  ['ActionsLineGraph', 'Lines'],
  ['ActionsLineGraphCumulative', 'Lines, cumulative'],
  ['ActionsBarValue', 'Bars of totals'],
  ['BoldNumber', 'Number'],
] as const

export const PERIODS = [
  ['Hour', 'Hours'],
  ['Day', 'Days'],
  ['Week', 'Weeks'],
  ['Month', 'Months'],
] as const

/** The types of retention, by what a person starts with. */
export const STARTS = [
  ['retention_recurring', 'Each period in which they did it'],
  ['retention_first_time', 'The first time in the range'],
  ['retention_first_ever_occurrence', 'The first time ever'],
] as const
