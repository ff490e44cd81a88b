import { Dialog as BaseDialog } from '@base-ui/react/dialog'
import type { ReactNode } from 'react'
import { Button } from './button'
import { ProblemNotice } from './feedback'

interface DialogProps {
  title: string
  description?: ReactNode
  isOpen: boolean
  onClose(): void
  isWide?: boolean
  footer?: ReactNode
  children?: ReactNode
}

/** Takes the focus, and gives it back when it closes. */
export function Dialog({
  title,
  description,
  isOpen,
  onClose,
  isWide = false,
  footer,
  children,
}: DialogProps) {
  return (
    <BaseDialog.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
      <BaseDialog.Portal>
        <BaseDialog.Backdrop className="backdrop" />
        <BaseDialog.Popup className={`dialog ${isWide ? 'wide' : ''}`}>
          <header>
            <BaseDialog.Title render={<h2 />}>{title}</BaseDialog.Title>
            {description && (
              <BaseDialog.Description className="soft" render={<div />}>
                {description}
              </BaseDialog.Description>
            )}
          </header>
          <div className="body">{children}</div>
          {footer && <footer>{footer}</footer>}
        </BaseDialog.Popup>
      </BaseDialog.Portal>
    </BaseDialog.Root>
  )
}

interface ConfirmProps {
  title: string
  isOpen: boolean
  onClose(): void
  /** What the button says: a verb. */
  action: string
  isDanger?: boolean
  isBusy?: boolean
  error?: unknown
  onConfirm(): void
  children?: ReactNode
}

/** Asks before something that cannot be undone. */
export function Confirm({
  title,
  isOpen,
  onClose,
  action,
  isDanger = true,
  isBusy = false,
  error,
  onConfirm,
  children,
}: ConfirmProps) {
  return (
    <Dialog
      title={title}
      isOpen={isOpen}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" className={isDanger ? 'danger' : ''} isBusy={isBusy} onClick={onConfirm}>
            {action}
          </Button>
        </>
      }
    >
      {children}
      {error ? <ProblemNotice error={error} /> : null}
    </Dialog>
  )
}
