// The catalogue: every function that a query may call. What is not in here does not exist.
import { COLLECTIONS } from './aggregates/collections'
import { BASIC } from './aggregates/basic'
import { DISTINCT } from './aggregates/distinct'
import { EXTREMES } from './aggregates/extremes'
import { QUANTILES } from './aggregates/quantiles'
import { SPREAD } from './aggregates/spread'
import { ASKING } from './arrays/ask'
import { LAMBDAS } from './arrays/lambdas'
import { MAKING } from './arrays/make'
import { CONDITIONALS } from './conditionals'
import { CONVERSIONS } from './conversions'
import { DIFFERENCES } from './dates/difference'
import { FORMATTING } from './dates/format'
import { PARSING } from './dates/parse'
import { PARTS } from './dates/parts'
import { TRUNCATION } from './dates/truncate'
import { JSON_FUNCTIONS } from './json'
import { MATH } from './math'
import type { FunctionSpec } from './spec'
import { PATTERNS } from './strings/patterns'
import { SEARCH } from './strings/search'
import { SLICES } from './strings/slices'
import { TEXT } from './strings/text'
import { TUPLES } from './tuples'
import { URLS } from './urls'
import { WINDOWS } from './windows'

/** All of them, each once. */
export const FUNCTIONS: readonly FunctionSpec[] = [
  ...BASIC,
  ...DISTINCT,
  ...EXTREMES,
  ...QUANTILES,
  ...SPREAD,
  ...COLLECTIONS,
  ...CONDITIONALS,
  ...CONVERSIONS,
  ...PARSING,
  ...PARTS,
  ...TRUNCATION,
  ...DIFFERENCES,
  ...FORMATTING,
  ...TEXT,
  ...SLICES,
  ...SEARCH,
  ...PATTERNS,
  ...URLS,
  ...JSON_FUNCTIONS,
  ...MATH,
  ...MAKING,
  ...ASKING,
  ...LAMBDAS,
  ...TUPLES,
  ...WINDOWS,
]

const BY_NAME = new Map(
  FUNCTIONS.flatMap((spec) => [spec.name, ...(spec.aliases ?? [])].map((name) => [name.toLowerCase(), spec])),
)

/** The function of that name, whatever the case it is written in; undefined when there is none. */
export const functionNamed = (name: string): FunctionSpec | undefined => BY_NAME.get(name.toLowerCase())
