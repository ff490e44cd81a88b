import type { Endpoint } from '../api/client'
import { Badge } from '../design/small'

const KINDS: Readonly<Record<string, string>> = {
  HogQLQuery: 'SQL',
  TrendsQuery: 'Trends',
  FunnelsQuery: 'Funnel',
  RetentionQuery: 'Retention',
  LifecycleQuery: 'Lifecycle',
}

export const kindName = (kind: string): string => KINDS[kind] ?? kind

export const KindBadge = ({ query }: Pick<Endpoint, 'query'>) => (
  <Badge tone={query.kind === 'HogQLQuery' ? '' : 'accent'}>{kindName(query.kind)}</Badge>
)

type State = Pick<
  Endpoint['materialization'],
  'hibernated' | 'enabled' | 'reason' | 'can_materialize' | 'status' | 'ready'
>

/** The state of a materialization in a word. */
export function MaterializationBadge({ materialization: state }: { materialization: State }) {
  if (state.hibernated) return <Badge tone="warn">Hibernated</Badge>
  if (!state.enabled)
    return (
      <span className="soft small" title={state.reason ?? undefined}>
        {state.can_materialize ? 'Off' : 'Not possible'}
      </span>
    )
  if (state.status === 'Failed') return <Badge tone="bad">Failed</Badge>
  return state.ready ? <Badge tone="good">Built</Badge> : <Badge tone="accent">Building</Badge>
}
