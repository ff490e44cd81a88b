// Asks before flags are enabled, disabled or archived: says who gets them then, and which flags depend on one.
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
import { openDialog, useClose } from '../design/popups/opened'
import { setActive, type Turn, turnEach } from './change-flags'
import { toFlag } from '../shell/pages'

/** Flags that the question names. */
const MAX_NAMED = 8

const VERBS = { enabled: 'Enable', disabled: 'Disable', archived: 'Archive' } as const

interface TurnProps {
  projectId: number
  /** Those that are in another state. */
  flags: readonly Flag[]
  to: keyof typeof VERBS
  onClose(): void
  /** Default: makes the change, and shows that of one flag at once. */
  onConfirm?: (() => void) | undefined
}

/** Turns flags, and asks first where that turns one on or off. */
export function askTurn(projectId: number, flags: readonly Flag[], to: Turn, change?: () => void): void {
  if (to === 'enabled' || (to !== 'taken out of the archive' && flags.some(({ active }) => active)))
    openDialog(<Asked projectId={projectId} flags={flags} to={to} onConfirm={change} />)
  else if (change) change()
  else void turnEach(projectId, flags, to)
}

const Asked = (props: Omit<TurnProps, 'onClose'>) => <TurnFlags {...props} onClose={useClose()} />

export default function TurnFlags({ projectId, flags, to, onClose, onConfirm }: TurnProps) {
  const [only] = flags.length === 1 ? flags : []
  const isHeld = useHolds(projectId, to === 'enabled' ? 'feature_flag.enable' : 'feature_flag.disable')
  const what = only ? only.key : `${flags.length} flags`
  return (
    <Confirm
      title={`${VERBS[to]} ${what}?`}
      action={isHeld ? (only ? 'Request approval' : 'Request approvals') : VERBS[to]}
      isDanger={to !== 'enabled'}
      onClose={onClose}
      onConfirm={() => {
        // The page shows the change at once, and takes it back where it is refused.
        onClose()
        if (onConfirm) onConfirm()
        else if (only && to !== 'archived') void setActive(projectId, only, to === 'enabled')
        else void turnEach(projectId, flags, to)
      }}
    >
      {only ? (
        <Effect projectId={projectId} flag={only} to={to} />
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
function Effect({ projectId, flag, to }: Pick<TurnProps, 'projectId' | 'to'> & { flag: Flag }) {
  const active = to === 'enabled'
  const wording = useWording(projectId, setsOf(flag.filters))
  const dependents = useQuery({ ...dependentsQuery(projectId, flag.id), enabled: !active })
  const users = dependents.data ?? []
  return (
    <>
      <p>
        {active
          ? `After this: ${flagSentence({ ...flag, active }, wording)}`
          : `Now: ${flagSentence(flag, wording)} After this: off for everyone${to === 'archived' ? ' and hidden from lists' : ''}.`}
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
