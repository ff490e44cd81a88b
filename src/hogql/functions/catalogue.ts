// Every function that a query may call.
import { COLLECTIONS } from './aggregates/collections'
import { BASIC } from './aggregates/basic'
import { BITS } from './aggregates/bits'
import { findCombined } from './aggregates/combinators'
import { GATHERED } from './aggregates/gathered'
import { MIN_MAX } from './aggregates/min-max'
import { QUANTILES } from './aggregates/quantiles'
import { DISPERSION } from './aggregates/dispersion'
import { ARRAY_PREDICATES } from './arrays/predicates'
import { ARRAY_LAMBDAS } from './arrays/lambdas'
import { ARRAY_CONSTRUCTORS } from './arrays/constructors'
import { CONDITIONALS } from './conditionals'
import { CONVERSIONS } from './conversions'
import { DIFFERENCES } from './dates/difference'
import { FORMATTING } from './dates/format'
import { PARSING } from './dates/parse'
import { PARTS } from './dates/parts'
import { TRUNCATION } from './dates/truncate'
import { JSON_FUNCTIONS } from './json'
import { INTEGERS } from './integers'
import { MATH } from './math'
import { ONLY_CLICKHOUSE } from './only-clickhouse'
import type { FunctionSpec } from './spec'
import { USER_AGENTS } from './strings/agents'
import { SEARCH } from './strings/search'
import { SLICES } from './strings/slices'
import { TEXT } from './strings/text'
import { URLS } from './urls'
import { WINDOWS } from './windows'

/** Functions by subject, as the guide lists them. */
export const FAMILIES: readonly [subject: string, functions: readonly FunctionSpec[]][] = [
  ['Aggregates', [...BASIC, ...MIN_MAX, ...QUANTILES, ...DISPERSION, ...BITS, ...GATHERED, ...COLLECTIONS]],
  ['Choices and NULL', CONDITIONALS],
  ['Conversions', CONVERSIONS],
  ['Dates', [...PARSING, ...PARTS, ...TRUNCATION, ...DIFFERENCES, ...FORMATTING]],
  ['Texts', [...TEXT, ...SLICES, ...SEARCH, ...USER_AGENTS]],
  ['URLs', URLS],
  ['JSON', JSON_FUNCTIONS],
  ['Numbers', [...MATH, ...INTEGERS]],
  ['Arrays and tuples', [...ARRAY_CONSTRUCTORS, ...ARRAY_PREDICATES, ...ARRAY_LAMBDAS]],
  ['Window functions', WINDOWS],
  ['Only on ClickHouse', ONLY_CLICKHOUSE],
]

export const FUNCTIONS: readonly FunctionSpec[] = FAMILIES.flatMap(([, functions]) => functions)

const BY_NAME = new Map(
  FUNCTIONS.flatMap((spec) => [spec.name, ...(spec.aliases ?? [])].map((name) => [name.toLowerCase(), spec])),
)

/** Finds a function by its name or alias in any case of letters, also an aggregate with a combinator of ClickHouse. */
export const findFunction = (name: string): FunctionSpec | undefined =>
  BY_NAME.get(name.toLowerCase()) ??
  findCombined(name, (base) => {
    const spec = BY_NAME.get(base)
    return spec?.kind === 'aggregate' ? spec : undefined
  })
