import type { ReactNode } from 'react'
import { Confirm } from '../design/popups/dialog'
import type { LeaveBlocker } from './use-draft'

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
