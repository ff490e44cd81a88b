import type { ReactNode } from 'react'
import { Confirm } from '../design/popups/dialog'
import { type LeaveBlocker, useUnsaved } from './use-unsaved'

interface LeaveDialogProps {
  blocker: LeaveBlocker
  title?: string
  /** Says what is lost. */
  children: ReactNode
}

/** Asks before a page with changes is left. */
export const LeaveDialog = ({ blocker, title = 'Leave without saving?', children }: LeaveDialogProps) =>
  blocker.status === 'blocked' && (
    <Confirm title={title} action="Leave" onClose={blocker.reset} onConfirm={blocker.proceed}>
      {children}
    </Confirm>
  )

/** Asks before a page is left on which a form is changed. */
export const LeaveGuard = ({ isUnsaved }: { isUnsaved: boolean }) => (
  <LeaveDialog blocker={useUnsaved(isUnsaved)}>What you entered is not saved.</LeaveDialog>
)
