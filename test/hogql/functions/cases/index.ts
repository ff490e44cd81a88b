// All cases of the catalogue, by family.
import { AGGREGATES } from './aggregates'
import { ARRAYS } from './arrays/arrays'
import type { CallCase, QueryCase } from './case'
import { COMBINED } from './combined'
import { COMPARISONS } from './comparisons'
import { CONDITIONALS } from './conditionals'
import { CONVERSIONS } from './conversions'
import { DATE_FORMATS } from './dates/date-formats'
import { DIFFERENCES } from './dates/differences'
import { EXACT, EXACT_ROWS } from './exact'
import { FORMATS } from './text/formats'
import { ONLY_CLICKHOUSE } from './only-clickhouse'
import { GROUPING_SETS } from './grouping-sets'
import { READING } from './json'
import { LAMBDAS } from './arrays/lambdas'
import { MACROS } from './macros'
import { MAPS } from './arrays/maps'
import { PAGES_OF_ARRAYS } from './arrays/pages'
import { MOMENTS } from './dates/moments'
import { NOT_A_NUMBER, NOT_A_NUMBER_ROWS } from './not-a-number'
import { NULLS } from './nulls'
import { NULLS_OF_DATES } from './dates/nulls-of-dates'
import { NUMBERS } from './numbers'
import { PARTS } from './dates/parts'
import { PATTERNS } from './text/patterns'
import { RARE } from './rare'
import { SEARCH } from './text/search'
import { SET_ZONES } from './set-zones'
import { SLICES } from './arrays/slices'
import { STARTS } from './dates/starts'
import { TEXT } from './text/text'
import { URLS } from './text/urls'
import { WINDOWS, WINDOWS_OF_CLICKHOUSE } from './windows'
import { ZONES } from './dates/zones'

export const CALLS: Readonly<Record<string, readonly CallCase[]>> = {
  ARRAYS,
  COMPARISONS,
  CONDITIONALS,
  CONVERSIONS,
  DATE_FORMATS,
  DIFFERENCES,
  EXACT,
  FORMATS,
  READING,
  LAMBDAS,
  MACROS,
  MAPS,
  MOMENTS,
  NOT_A_NUMBER,
  NULLS,
  NULLS_OF_DATES,
  NUMBERS,
  PARTS,
  RARE,
  PATTERNS,
  SEARCH,
  SLICES,
  STARTS,
  TEXT,
  URLS,
  ZONES,
}

export const QUERIES: readonly QueryCase[] = [
  ...AGGREGATES,
  ...EXACT_ROWS,
  ...NOT_A_NUMBER_ROWS,
  ...PAGES_OF_ARRAYS,
  ...SET_ZONES,
  ...WINDOWS,
]

/** Queries that the compiler refuses for D1. */
export const CLICKHOUSE_QUERIES: readonly QueryCase[] = [
  ...GROUPING_SETS,
  ...COMBINED,
  ...WINDOWS_OF_CLICKHOUSE,
]

/** Calls that the compiler refuses for D1. */
export const CLICKHOUSE_ONLY: readonly CallCase[] = ONLY_CLICKHOUSE
