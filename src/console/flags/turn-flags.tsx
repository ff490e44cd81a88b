// Asks before flags are enabled or disabled: says who gets them then, and which flags depend on one.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Flag } from '../api/client'
import { dependentsQuery } from '../api/queries'
import { EACH_HELD_WORDS, useHolds } from '../approvals/use-holds'
import { Notice } from '../design/feedback'
import { Confirm } from '../design/popups/dialog'
import { setsOf } from '../grammar/conditions'
import { flagSentence } from '../grammar/flag-sentence'
import { useWording } from '../grammar/use-wording'
import { setActive, setEachActive } from './change-flags'
import { toFlag } from '../shell/pages'

/** Flags that the question names. */
const MAX_NAMED = 8

interface TurnProps {
  projectId: number
  /** Those that are in the other state. */
  flags: readonly Flag[]
  active: boolean
  onClose(): void
  /** Called with the flags that failed. */
  onDone?(failed: readonly Flag[]): void
}

export default function TurnFlags({ projectId, flags, active, onClose, onDone }: TurnProps) {
  const [only] = flags.length === 1 ? flags : []
  const isHeld = useHolds(projectId, active ? 'feature_flag.enable' : 'feature_flag.disable')
  const what = only ? only.key : `${flags.length} flags`
  const verb = active ? 'Enable' : 'Disable'
  return (
    <Confirm
      title={`${verb} ${what}?`}
      action={isHeld ? (only ? 'Request approval' : 'Request approvals') : verb}
      isDanger={!active}
      onClose={onClose}
      onConfirm={() => {
        // The page shows the change at once, and takes it back where it is refused.
        onClose()
        if (only) void setActive(projectId, only, active)
        else void setEachActive(projectId, flags, active).then(onDone)
      }}
    >
      {only ? (
        <Effect projectId={projectId} flag={only} active={active} />
      ) : (
        <ul>
          {flags.slice(0, MAX_NAMED).map(({ id, key }) => (
            <li key={id} className="mono">
              {key}
            </li>
          ))}
          {flags.length > MAX_NAMED && <li className="soft">and {flags.length - MAX_NAMED} more</li>}
        </ul>
      )}
      {isHeld && !only && <p>{EACH_HELD_WORDS}</p>}
    </Confirm>
  )
}

/** Describes what a change does to a flag. */
function Effect({ projectId, flag, active }: { projectId: number; flag: Flag; active: boolean }) {
  const wording = useWording(projectId, setsOf(flag.filters))
  const dependents = useQuery({ ...dependentsQuery(projectId, flag.id), enabled: !active })
  const users = dependents.data ?? []
  return (
    <>
      <p>
        {active
          ? `After this: ${flagSentence({ ...flag, active }, wording)}`
          : `Now: ${flagSentence(flag, wording)} After this: off for everyone.`}
      </p>
      {users.length > 0 && (
        <Notice tone="warn">
          {users.length === 1
            ? 'A flag depends on it and has'
            : `${users.length} flags depend on it and have`}{' '}
          to be disabled first:{' '}
          {users.map(({ id, key }, index) => (
            <span key={id}>
              {index > 0 && ', '}
              <Link className="mono" {...toFlag(projectId, id)}>
                {key}
              </Link>
            </span>
          ))}
        </Notice>
      )}
    </>
  )
}
