// The catalogue: every function that a query may call. What is not in here does not exist.
import { COLLECTIONS } from './aggregates/collections'
import { BASIC } from './aggregates/basic'
import { DISTINCT } from './aggregates/distinct'
import { EXTREMES } from './aggregates/extremes'
import { QUANTILES } from './aggregates/quantiles'
import { SPREAD } from './aggregates/spread'
import { CONDITIONALS } from './conditionals'
import { CONVERSIONS } from './conversions'
import { DIFFERENCES } from './dates/difference'
import { FORMATTING } from './dates/format'
import { PARSING } from './dates/parse'
import { PARTS } from './dates/parts'
import { SHIFTS } from './dates/shift'
import { TRUNCATION } from './dates/truncate'
import type { FunctionSpec } from './spec'
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
  ...SHIFTS,
  ...DIFFERENCES,
  ...FORMATTING,
  ...WINDOWS,
]

const BY_NAME = new Map(
  FUNCTIONS.flatMap((spec) => [spec.name, ...(spec.aliases ?? [])].map((name) => [name.toLowerCase(), spec])),
)

/** The function of that name, whatever the case it is written in; undefined when there is none. */
export const functionNamed = (name: string): FunctionSpec | undefined => BY_NAME.get(name.toLowerCase())
