import {
  type ComponentProps,
  type ReactNode,
  type RefObject,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
} from 'react'
import { Button } from '../button'
import { ProblemNotice } from '../feedback'
import { Form } from '../fields/field'
import { PopupContainer } from './popup-container'

/**
 * Shows a modal `dialog` while the component is mounted. The browser keeps the focus inside, and gives it back afterwards.
 * @param keepsInput whether a press outside does not close it any more once something is entered.
 */
export function useModal(onClose: () => void, keepsInput = false): RefObject<HTMLDialogElement | null> {
  const dialog = useRef<HTMLDialogElement>(null)
  const close = useRef(onClose)
  useEffect(() => {
    close.current = onClose
  })
  useLayoutEffect(() => {
    const element = dialog.current!
    element.showModal()
    // The state of the page decides, not the element.
    const onCancel = (event: Event) => {
      event.preventDefault()
      close.current()
    }
    let hasInput = false
    const onInput = () => {
      hasInput = keepsInput
    }
    const onPress = (event: PointerEvent) => {
      // What is outside of the content belongs to the element.
      if (event.target === element && !hasInput) close.current()
    }
    element.addEventListener('cancel', onCancel)
    element.addEventListener('input', onInput)
    element.addEventListener('pointerdown', onPress)
    return () => {
      element.removeEventListener('cancel', onCancel)
      element.removeEventListener('input', onInput)
      element.removeEventListener('pointerdown', onPress)
      element.close()
    }
  }, [keepsInput])
  return dialog
}

interface DialogProps {
  title: string
  description?: ReactNode
  onClose(): void
  isWide?: boolean
  /** Whether the content is only read: it takes the focus, so that keys scroll it. */
  isText?: boolean
  footer?: ReactNode
  children?: ReactNode
}

/** Is open while it is mounted. */
export function Dialog({
  title,
  description,
  onClose,
  isWide = false,
  isText = false,
  footer,
  children,
}: DialogProps) {
  const dialog = useModal(onClose, true)
  const id = useId()
  return (
    <dialog ref={dialog} className={`dialog ${isWide ? 'wide' : ''}`} aria-labelledby={id}>
      <PopupContainer value={dialog}>
        <header>
          <h2 id={id}>{title}</h2>
          {description && <div className="soft">{description}</div>}
        </header>
        <div className="body" tabIndex={isText ? 0 : undefined}>
          {children}
        </div>
        {footer && <footer>{footer}</footer>}
      </PopupContainer>
    </dialog>
  )
}

/** A `ref` for the element that takes the focus when its dialog opens. React has no such attribute: its own focuses before the dialog is open. */
export const focusedFirst = (element: HTMLElement | null): void => element?.setAttribute('autofocus', '')

/** The buttons of a dialog that does one thing: submits a form, or calls `onClick`. */
export const DialogButtons = ({
  onCancel,
  action,
  keep = 'Cancel',
  ...props
}: { onCancel(): void; action: string; keep?: string | undefined } & ComponentProps<typeof Button>) => (
  <>
    <Button onClick={onCancel}>{keep}</Button>
    <Button kind="primary" type={props.form === undefined ? 'button' : 'submit'} {...props}>
      {action}
    </Button>
  </>
)

/** The only button of a dialog that shows something once. */
export const DoneButton = ({ onClick }: { onClick(): void }) => (
  <Button kind="primary" onClick={onClick}>
    Done
  </Button>
)

type FormDialogProps = Omit<DialogProps, 'footer'> &
  Pick<ComponentProps<typeof DialogButtons>, 'action' | 'isBusy' | 'disabled' | 'className'> & {
    /** The problem that no field shows. */
    error?: unknown
    onSubmit(): void
  }

/** A form that does one thing. Is open while it is mounted. */
export function FormDialog({
  action,
  isBusy,
  disabled,
  className,
  error,
  onSubmit,
  children,
  ...dialog
}: FormDialogProps) {
  const form = useId()
  const buttons = { action, isBusy, disabled, className }
  return (
    <Dialog {...dialog} footer={<DialogButtons {...buttons} form={form} onCancel={dialog.onClose} />}>
      <Form id={form} onSubmit={onSubmit}>
        {children}
        {error ? <ProblemNotice error={error} /> : null}
      </Form>
    </Dialog>
  )
}

interface ConfirmProps {
  title: string
  onClose(): void
  /** The verb on the button. */
  action: string
  /** On the button that closes it without the action. Default: `Cancel`. */
  keep?: string
  isDanger?: boolean
  isBusy?: boolean
  error?: unknown
  onConfirm(): void
  children?: ReactNode
}

/** Asks before something that cannot be undone. Is open while it is mounted. */
export const Confirm = ({
  title,
  onClose,
  action,
  keep,
  isDanger = true,
  isBusy = false,
  error,
  onConfirm,
  children,
}: ConfirmProps) => (
  <Dialog
    title={title}
    onClose={onClose}
    footer={
      <DialogButtons
        onCancel={onClose}
        className={isDanger ? 'danger' : ''}
        isBusy={isBusy}
        onClick={onConfirm}
        action={action}
        keep={keep}
      />
    }
  >
    {children}
    {error ? <ProblemNotice error={error} /> : null}
  </Dialog>
)
