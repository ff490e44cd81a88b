// Says which other flags keep a flag from being turned on or off, and what to do about them.
import { useQueries, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Flag } from '../api/client'
import { dependentsQuery, flagQuery } from '../api/queries'
import { Button } from '../design/button'
import { Dialog, focusedFirst } from '../design/popups/dialog'
import { unnamedIn } from '../grammar/conditions'
import { toFlag } from '../shell/pages'

type Blocker = Pick<Flag, 'id' | 'key'>

/** What was read before may have changed in the meantime. */
const NOW = { staleTime: 0, retry: false }

/**
 * Reads the enabled flags that depend on a flag which is disabled, or the disabled ones on which one that is enabled depends.
 * @returns none until they are read: the service refuses the change then
 */
export function useBlockers(projectId: number, flag: Flag | undefined, active: boolean): readonly Blocker[] {
  const dependents = useQuery({
    ...dependentsQuery(projectId, flag?.id ?? 0),
    ...NOW,
    enabled: flag !== undefined && !active,
  })
  const { flags } = unnamedIn((flag?.filters.groups ?? []).flatMap(({ properties }) => properties ?? []))
  const needed = useQueries({
    queries: (active ? flags : []).map((id) => ({ ...flagQuery(projectId, id), ...NOW })),
  })
  if ([dependents, ...needed].some(({ isFetching }) => isFetching)) return []
  return active ? needed.flatMap(({ data }) => (data && !data.active ? [data] : [])) : (dependents.data ?? [])
}

interface BlockedProps {
  projectId: number
  flag: Flag
  /** What it would become. */
  to: 'enabled' | 'disabled' | 'archived'
  blockers: readonly Blocker[]
  onClose(): void
}

export const BlockedDialog = ({ projectId, flag: { key }, to, blockers, onClose }: BlockedProps) => (
  <Dialog
    title={`${key} cannot be ${to} yet`}
    onClose={onClose}
    footer={
      <Button kind="primary" ref={focusedFirst} onClick={onClose}>
        Close
      </Button>
    }
  >
    <p>
      {to === 'enabled'
        ? 'It depends on flags that are disabled. Enable these first:'
        : 'Enabled flags depend on it. Disable these first, or take it out of their conditions:'}
    </p>
    <ul aria-label="First">
      {blockers.map((each) => (
        <li key={each.id}>
          <Link className="mono" {...toFlag(projectId, each.id)}>
            {each.key}
          </Link>
        </li>
      ))}
    </ul>
  </Dialog>
)
