// Renders the bars below a page that is edited, or on which something is created.
import type { ReactNode } from 'react'
import { Button } from '../design/button'
import { LeaveDialog } from './leave-dialog'
import type { CreateFormState } from './use-create-form'
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
  form: CreateFormState
  /** The problem that keeps it from being created, if there is one. It is shown after the first attempt. */
  issue: string | null
  /** Explains what happens once it is created. */
  hint: string
  /** The link that leaves the page. */
  cancel: ReactNode
}

export function CreateBar({ what, form, issue, hint, cancel }: CreateBarProps) {
  const problem = form.refusal ?? (form.areIssuesShown ? issue : null)
  return (
    <Bar label={`Create the ${what}`}>
      <span
        className={problem === null ? 'soft' : 'error-text'}
        role={problem === null ? undefined : 'alert'}
      >
        {problem ?? hint}
      </span>
      <div className="row">
        {cancel}
        <Writers>
          <Button kind="primary" isBusy={form.isBusy} onClick={form.submit}>
            Create {what}
          </Button>
        </Writers>
      </div>
      <LeaveDialog
        blocker={form.blocker}
        isBusy={form.isBusy}
        error={form.refusal}
        title={`Leave without creating the ${what}?`}
      >
        What you entered is not saved.
      </LeaveDialog>
    </Bar>
  )
}
