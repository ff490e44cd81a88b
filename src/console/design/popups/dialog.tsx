import {
  type ComponentProps,
  type ReactNode,
  type RefObject,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { Button } from '../button'
import { ProblemNotice } from '../feedback'
import { Form } from '../fields/field'
import { Close, useClose } from './opened'
import { PopupContainer } from './popup-container'

/**
 * Shows a modal `dialog` while the component is mounted. The browser keeps the focus inside, and gives it back afterwards.
 * @param onKept called when the first Escape does not close it because something is entered. Then a press outside does not close it either.
 */
export function useModal(onClose: () => void, onKept?: () => void): RefObject<HTMLDialogElement | null> {
  const dialog = useRef<HTMLDialogElement>(null)
  const calls = useRef({ onClose, onKept })
  useEffect(() => {
    calls.current = { onClose, onKept }
  })
  useLayoutEffect(() => {
    const element = dialog.current!
    element.showModal()
    // The state of the page decides, not the element.
    const onCancel = (event: Event) => {
      event.preventDefault()
      if (!hasInput || isWarned) return calls.current.onClose()
      isWarned = true
      calls.current.onKept?.()
    }
    let hasInput = false
    let isWarned = false
    const onInput = () => {
      hasInput = calls.current.onKept !== undefined
      isWarned = false
    }
    const onPress = (event: PointerEvent) => {
      // What is outside of the content belongs to the element.
      if (event.target === element && !hasInput) calls.current.onClose()
    }
    element.addEventListener('cancel', onCancel)
    element.addEventListener('input', onInput)
    element.addEventListener('pointerdown', onPress)
    return () => {
      element.removeEventListener('cancel', onCancel)
      element.removeEventListener('input', onInput)
      element.removeEventListener('pointerdown', onPress)
      element.close()
      addEventListener('click', ignoreSecondClick, { capture: true, once: true })
    }
  }, [])
  return dialog
}

/** Keeps the second half of a double click on the last button of a dialog from what lies below. */
function ignoreSecondClick(event: MouseEvent): void {
  if (event.detail < 2) return
  event.preventDefault()
  event.stopPropagation()
}

interface DialogProps {
  title: string
  description?: ReactNode
  /** Default: closes what `openDialog` opened. */
  onClose?: (() => void) | undefined
  isWide?: boolean
  /** Whether the content is only read: it takes the focus, so that keys scroll it. */
  isText?: boolean
  /** Why the action failed. It stands above the buttons, so that it is seen wherever the content is scrolled to. */
  error?: unknown
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
  error,
  footer,
  children,
}: DialogProps) {
  const [isKept, setIsKept] = useState(false)
  const closeOpened = useClose()
  const close = onClose ?? closeOpened
  const dialog = useModal(close, () => setIsKept(true))
  const id = useId()
  return (
    <dialog ref={dialog} className={`dialog ${isWide ? 'wide' : ''}`} aria-labelledby={id}>
      <PopupContainer value={dialog}>
        <Close value={close}>
          <header>
            <h2 id={id}>{title}</h2>
            {description && <div className="soft">{description}</div>}
          </header>
          <div className="body" tabIndex={isText ? 0 : undefined}>
            {children}
          </div>
          <p className="kept soft small" role="status">
            {isKept && 'Press Escape again to discard what you entered.'}
          </p>
          {error ? <ProblemNotice error={error} /> : null}
          {footer && <footer>{footer}</footer>}
        </Close>
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
}: { onCancel?: () => void; action: string; keep?: string | undefined } & ComponentProps<typeof Button>) => (
  <>
    <CloseButton onClick={onCancel}>{keep}</CloseButton>
    <Button kind="primary" type={props.form === undefined ? 'button' : 'submit'} {...props}>
      {action}
    </Button>
  </>
)

const CloseButton = (props: ComponentProps<typeof Button>) => {
  const close = useClose()
  return <Button {...props} onClick={props.onClick ?? close} />
}

/** The only button of a dialog that shows something once. */
export const DoneButton = () => <CloseButton kind="primary">Done</CloseButton>

type FormDialogProps = Omit<DialogProps, 'footer'> &
  Pick<ComponentProps<typeof DialogButtons>, 'action' | 'keep' | 'isBusy' | 'disabled' | 'className'> & {
    onSubmit(): void
  }

/** A form that does one thing. Is open while it is mounted. */
export function FormDialog({
  action,
  keep,
  isBusy,
  disabled,
  className,
  onSubmit,
  children,
  ...dialog
}: FormDialogProps) {
  const form = useId()
  const buttons = { action, keep, isBusy, disabled, className }
  // A field that was rejected may be far above the button.
  useEffect(() => {
    if (!isBusy) document.getElementById(form)?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }, [isBusy])
  return (
    <Dialog {...dialog} footer={<DialogButtons {...buttons} form={form} />}>
      <Form id={form} onSubmit={onSubmit}>
        {children}
      </Form>
    </Dialog>
  )
}

interface ConfirmProps {
  title: string
  onClose?: (() => void) | undefined
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
    error={error}
    footer={
      <DialogButtons
        className={isDanger ? 'danger' : ''}
        isBusy={isBusy}
        onClick={onConfirm}
        action={action}
        keep={keep}
      />
    }
  >
    {children}
  </Dialog>
)
