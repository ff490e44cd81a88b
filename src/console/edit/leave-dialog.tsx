import type { ReactNode } from 'react'
import { Confirm } from '../design/popups/dialog'
import { type LeaveBlocker, useUnsaved } from './use-unsaved'

interface LeaveDialogProps {
  blocker: LeaveBlocker
  title?: string
  /** Whether a save runs. */
  isBusy: boolean
  /** Why the last save failed. */
  error: unknown
  /** Says what is lost. */
  children: ReactNode
}

/** Asks before a page with changes is left. */
export const LeaveDialog = ({
  blocker,
  title = 'Leave without saving?',
  isBusy,
  error,
  children,
}: LeaveDialogProps) =>
  blocker.status === 'blocked' && (
    <Confirm
      title={isBusy ? 'Leave before it is saved?' : title}
      action="Leave"
      error={isBusy ? null : error}
      onClose={blocker.reset}
      onConfirm={blocker.proceed}
    >
      {isBusy ? 'What you entered is being saved. The page is left as soon as it is.' : children}
    </Confirm>
  )

type LeaveGuardProps = Pick<LeaveDialogProps, 'isBusy' | 'error'> & { isUnsaved: boolean }

/** Asks before a page is left on which a form is changed. */
export const LeaveGuard = ({ isUnsaved, isBusy, error }: LeaveGuardProps) => (
  <LeaveDialog blocker={useUnsaved(isUnsaved)} isBusy={isBusy} error={error}>
    What you entered is not saved.
  </LeaveDialog>
)
