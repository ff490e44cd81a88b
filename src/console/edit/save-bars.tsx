// Renders the bars below a page that is edited, or on which something is created.
import type { ReactNode } from 'react'
import { Button } from '../design/button'
import { LeaveDialog } from './leave-dialog'
import type { LeaveBlocker } from './use-draft'
import { Writers } from '../team/writers'

const Bar = ({ label, children }: { label: string; children: ReactNode }) => (
  <div className="save-dock">
    <div className="save-bar" role="region" aria-label={label}>
      {children}
    </div>
  </div>
)

interface ChangesBarProps {
  /** The description of what is changed. */
  children: ReactNode
  /** The button that saves. */
  save: ReactNode
  onDiscard(): void
}

export const ChangesBar = ({ children, save, onDiscard }: ChangesBarProps) => (
  <Bar label="Unsaved changes">
    <span>{children}</span>
    <div className="row">
      <Button onClick={onDiscard}>Discard</Button>
      <Writers>{save}</Writers>
    </div>
  </Bar>
)

/** Says how many fields need a change before something is created; null for none. */
export const attentionWords = (issues: number): string | null =>
  issues === 0 ? null : `${issues === 1 ? 'One field needs' : `${issues} fields need`} your attention.`

interface CreateBarProps {
  /** The kind of what is created, such as `flag`. */
  what: string
  /** The problem that keeps it from being created, if there is one. */
  issue: string | null
  hint: string
  /** The link that leaves the page. */
  cancel: ReactNode
  isBusy: boolean
  /** Asks before a user leaves what was entered. */
  blocker: LeaveBlocker
  onCreate(): void
}

export const CreateBar = ({ what, issue, hint, cancel, isBusy, blocker, onCreate }: CreateBarProps) => (
  <Bar label={`Create the ${what}`}>
    <span className={issue === null ? 'soft' : 'error-text'} role={issue === null ? undefined : 'alert'}>
      {issue ?? hint}
    </span>
    <div className="row">
      {cancel}
      <Writers>
        <Button kind="primary" isBusy={isBusy} onClick={onCreate}>
          Create {what}
        </Button>
      </Writers>
    </div>
    <LeaveDialog blocker={blocker} title={`Leave without creating the ${what}?`}>
      What you entered is not saved.
    </LeaveDialog>
  </Bar>
)
