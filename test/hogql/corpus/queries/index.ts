// Every query of the corpus, by theme.
import type { CorpusQuery } from '../corpus-query'
import { AGGREGATES } from './aggregates'
import { ARRAYS } from './values/arrays'
import { CONVERSIONS } from './values/conversions'
import { COUNTING } from './counting'
import { DATES } from './dates/dates'
import { DATE_ARITHMETIC } from './dates/date-arithmetic'
import { FUNNELS_AND_RETENTION } from './funnels-and-retention'
import { GROUPING } from './grouping'
import { CONDITIONS_AND_NAMES } from './conditions-and-names'
import { JOINS_AND_SUBQUERIES } from './joins-and-subqueries'
import { PROPERTIES } from './values/json'
import { JSON_FUNCTIONS } from './values/json-functions'
import { MAPS } from './values/maps'
import { MONEY } from './money'
import { NULLS } from './values/nulls'
import { NUMBERS } from './values/numbers'
import { ORDERS } from './orders'
import { PATTERNS } from './values/patterns'
import { TEXT_FUNCTIONS } from './values/text-functions'
import { RECURSIVE_CTES } from './recursive-ctes'
import { REGRESSIONS } from './regressions'
import { SESSIONS_AND_FLAGS } from './sessions-and-flags'
import { PEOPLE_AND_GROUPS } from './people-and-groups'
import { SETS_AND_CTES } from './sets-and-ctes'
import { TIME_SERIES } from './dates/time-series'
import { MORE_TIME_SERIES } from './dates/more-time-series'
import { TIME_ZONES } from './dates/time-zones'
import { TEXT_IN_TIME_ZONES } from './dates/text-in-time-zones'
import { VARIABLES } from './variables'
import { WINDOWS } from './windows'

export const THEMES: Readonly<Record<string, readonly CorpusQuery[]>> = {
  aggregates: AGGREGATES,
  arrays: ARRAYS,
  conversions: CONVERSIONS,
  counting: COUNTING,
  dates: DATES,
  'date-arithmetic': DATE_ARITHMETIC,
  'funnels-and-retention': FUNNELS_AND_RETENTION,
  grouping: GROUPING,
  'conditions-and-names': CONDITIONS_AND_NAMES,
  'joins-and-subqueries': JOINS_AND_SUBQUERIES,
  json: PROPERTIES,
  'json-functions': JSON_FUNCTIONS,
  maps: MAPS,
  money: MONEY,
  nulls: NULLS,
  numbers: NUMBERS,
  orders: ORDERS,
  patterns: PATTERNS,
  'text-functions': TEXT_FUNCTIONS,
  'recursive-ctes': RECURSIVE_CTES,
  regressions: REGRESSIONS,
  'sessions-and-flags': SESSIONS_AND_FLAGS,
  'people-and-groups': PEOPLE_AND_GROUPS,
  'sets-and-ctes': SETS_AND_CTES,
  'time-series': TIME_SERIES,
  'more-time-series': MORE_TIME_SERIES,
  'time-zones': TIME_ZONES,
  'text-in-time-zones': TEXT_IN_TIME_ZONES,
  variables: VARIABLES,
  windows: WINDOWS,
}
