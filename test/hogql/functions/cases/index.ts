// All cases of the catalogue, by family.
import { AGGREGATES } from './aggregates'
import { ARRAYS } from './arrays/arrays'
import type { CallCase, QueryCase } from './case'
import { COMPARISONS } from './comparisons'
import { CONDITIONALS } from './conditionals'
import { CONVERSIONS } from './conversions'
import { DATE_FORMATS } from './dates/date-formats'
import { DIFFERENCES } from './dates/differences'
import { EXACT, EXACT_ROWS } from './exact'
import { FORMATS } from './text/formats'
import { GROUPING_SETS } from './grouping-sets'
import { READING } from './json'
import { LAMBDAS } from './arrays/lambdas'
import { MACROS } from './macros'
import { MAPS } from './arrays/maps'
import { MOMENTS } from './dates/moments'
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
import { WINDOWS } from './windows'
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
  ...GROUPING_SETS,
  ...EXACT_ROWS,
  ...SET_ZONES,
  ...WINDOWS,
]

/** Calls that the compiler rejects for D1: what is constant for the Worker is not for them. */
export const CLICKHOUSE_ONLY: readonly string[] = [
  "match('abc', toString(1))",
  "replaceRegexpAll('abc', toString(1), 'x')",
  "firstSignificantSubdomain('https://www.news.example.com/')",
  "cutToFirstSignificantSubdomain('https://www.news.example.com/')",
  "editDistance('clickhouse', 'mouse')",
  "editDistanceUTF8('größe', 'grosse')",
  'greatCircleDistance(0.0, 0.0, 1.0, 1.0)',
  "arrayMap((a, b) -> extract(concat(a, b), 'b.'), ['a'], ['b'])",
]
