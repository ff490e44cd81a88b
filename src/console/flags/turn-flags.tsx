// Asks before flags are enabled, disabled or archived: says who gets them then.
import type { Flag } from '../api/client'
import { EACH_HELD_WORDS, useHolds } from '../approvals/use-holds'
import { Confirm } from '../design/popups/dialog'
import { setsOf } from '../grammar/sets'
import { flagSentence } from '../grammar/flag-sentence'
import { useWording } from '../grammar/use-wording'
import { openDialog, useClose } from '../design/popups/opened'
import { BlockedDialog, useBlockers } from './blockers'
import { setActive, type Turn, turnEach } from './change-flags'

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
  const blockers = useBlockers(projectId, only, to === 'enabled')
  if (only && blockers.length > 0)
    return <BlockedDialog {...{ projectId, flag: only, to, blockers, onClose }} />
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
  return (
    <p>
      {active
        ? `After this: ${flagSentence({ ...flag, active }, wording)}`
        : `Now: ${flagSentence(flag, wording)} After this: off for everyone${to === 'archived' ? ' and hidden from lists' : ''}.`}
    </p>
  )
}
