import type { Flag } from '../api/client'
import { Badge } from '../design/small'

/** The badges of what is special about a flag. */
export function FlagBadges({ flag }: { flag: Flag }) {
  const variants = flag.filters.multivariate?.variants.length ?? 0
  return (
    <>
      {flag.deleted && <Badge tone="bad">Deleted</Badge>}
      {flag.archived && <Badge>Archived</Badge>}
      {flag.status === 'STALE' && <Badge tone="warn">Stale</Badge>}
      {flag.is_remote_configuration && <Badge tone="accent">Config</Badge>}
      {variants > 0 && <Badge>{variants} variants</Badge>}
    </>
  )
}
