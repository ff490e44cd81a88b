import type { ComponentProps, MouseEvent } from 'react'
import { X } from 'lucide-react'

type Kind = 'primary' | 'danger' | 'plain' | 'default'

interface Look {
  kind?: Kind
  isSmall?: boolean
}

export const buttonClass = ({ kind = 'default', isSmall = false }: Look, extra = ''): string =>
  ['button', kind === 'default' ? '' : kind, isSmall ? 'small' : '', extra].filter(Boolean).join(' ')

/** @param isBusy shows progress, and ignores further clicks. A disabled element would lose the focus. */
export function Button({
  kind,
  isSmall,
  isBusy = false,
  className = '',
  onClick,
  children,
  ...rest
}: ComponentProps<'button'> & Look & { isBusy?: boolean }) {
  return (
    <button
      type="button"
      className={buttonClass({ kind, isSmall }, className)}
      aria-busy={isBusy || undefined}
      aria-disabled={isBusy || undefined}
      onClick={isBusy ? ignore : onClick}
      {...rest}
    >
      {isBusy && <span className="spinner" aria-hidden />}
      {children}
    </button>
  )
}

const ignore = (event: MouseEvent) => event.preventDefault()

/** A button that only has an icon. Its label is announced, and appears on hover and focus. */
export const IconButton = ({
  label,
  kind = 'plain',
  isSmall,
  className = '',
  children,
  ...rest
}: ComponentProps<'button'> & Look & { label: string }) => (
  <button
    type="button"
    aria-label={label}
    data-hint={label}
    className={buttonClass({ kind, isSmall }, `icon ${className}`)}
    {...rest}
  >
    {children}
  </button>
)

/** Removes the filters of a list. It goes with them, so that the first field takes the focus. */
export const ClearButton = ({ onClick }: { onClick(): void }) => (
  <Button
    kind="plain"
    onClick={({ currentTarget: button }) => {
      onClick()
      button.closest('[role=search]')?.querySelector<HTMLElement>('input, select')?.focus()
    }}
  >
    <X size={15} aria-hidden /> Clear
  </Button>
)
