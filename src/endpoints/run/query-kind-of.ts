// Maps kinds of queries to how they run.
import type { SourceQuery } from '../query/query-types'
import { hogqlKind } from './hogql-run'
import { insightKind } from './insight-run'
import type { QueryKind } from './query-kind'

export const queryKindOf = (query: SourceQuery): QueryKind =>
  query.kind === 'HogQLQuery' ? hogqlKind(query) : insightKind(query)
