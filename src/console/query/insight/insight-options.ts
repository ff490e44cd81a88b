// Defines the options of the form of an insight, with their labels.

export const MATHS = [
  ['total', 'number of events'],
  ['dau', 'people'],
  ['sum', 'sum of'],
  ['avg', 'average of'],
  ['min', 'minimum of'],
  ['max', 'maximum of'],
] as const

export const RANGES = [
  ['-24h', 'Last 24 hours'],
  ['-7d', 'Last 7 days'],
  ['-30d', 'Last 30 days'],
  ['-90d', 'Last 90 days'],
  ['-12m', 'Last 12 months'],
] as const

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
