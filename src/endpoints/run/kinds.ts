// From a stored query to the kind that it is of.
import type { EndpointQuery } from '../query/shape'
import { hogqlKind } from './hogql'
import { insightKind } from './insight'
import type { Kind } from './kind'

export function kindOf(query: EndpointQuery): Kind {
  switch (query.kind) {
    case 'HogQLQuery':
      return hogqlKind(query)
    case 'TrendsQuery':
    case 'LifecycleQuery':
    case 'RetentionQuery':
    case 'FunnelsQuery':
      return insightKind(query)
  }
}
