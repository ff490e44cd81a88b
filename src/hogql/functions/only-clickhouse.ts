// Rare functions without an equivalent in SQLite: the built-in database rejects them by name.
import { INTEGER } from '../types'
import { onClickhouse } from './define'
import { always } from './return-types'
import type { FunctionSpec } from './spec'

export const ONLY_CLICKHOUSE: readonly FunctionSpec[] = [
  onClickhouse('grouping', 'any, any...', always(INTEGER)),
  onClickhouse('greatCircleDistance geoDistance', 'number, number, number, number', 'float'),
  onClickhouse('editDistance levenshteinDistance', 'string, string', 'integer'),
  onClickhouse('editDistanceUTF8 levenshteinDistanceUTF8', 'string, string', 'integer'),
  onClickhouse('stringJaccardIndex', 'string, string', 'float'),
  onClickhouse('stringJaccardIndexUTF8', 'string, string', 'float'),
  onClickhouse('firstSignificantSubdomain', 'string', 'string'),
  onClickhouse('cutToFirstSignificantSubdomain', 'string', 'string'),
]
