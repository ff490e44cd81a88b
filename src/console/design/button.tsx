import { Tooltip } from '@base-ui/react/tooltip'
import type { ComponentProps, ReactNode } from 'react'

type Kind = 'primary' | 'danger' | 'plain' | 'default'

interface Look {
  kind?: Kind
  isSmall?: boolean
}

export const buttonClass = ({ kind = 'default', isSmall = false }: Look, extra = ''): string =>
  ['button', kind === 'default' ? '' : kind, isSmall ? 'small' : '', extra].filter(Boolean).join(' ')

/** @param isBusy shows progress, and takes no further clicks. */
export function Button({
  kind,
  isSmall,
  isBusy = false,
  className = '',
  disabled,
  children,
  ...rest
}: ComponentProps<'button'> & Look & { isBusy?: boolean }) {
  return (
    <button
      type="button"
      className={buttonClass({ kind, isSmall }, className)}
      disabled={disabled || isBusy}
      aria-busy={isBusy || undefined}
      {...rest}
    >
      {isBusy && <span className="spinner" aria-hidden />}
      {children}
    </button>
  )
}

/** A button that only has an icon. Its label is announced, and shown as a tooltip. */
export function IconButton({
  label,
  kind = 'plain',
  isSmall,
  className = '',
  children,
  ...rest
}: ComponentProps<'button'> & Look & { label: string }) {
  return (
    <Hint text={label}>
      <button
        type="button"
        aria-label={label}
        className={buttonClass({ kind, isSmall }, `icon ${className}`)}
        {...rest}
      >
        {children}
      </button>
    </Hint>
  )
}

/** A text that appears over an element on hover and focus. */
export function Hint({ text, children }: { text: ReactNode; children: React.ReactElement }) {
  return (
    <Tooltip.Root>
      <Tooltip.Trigger render={children} />
      <Tooltip.Portal>
        <Tooltip.Positioner sideOffset={6} className="positioner">
          <Tooltip.Popup className="tooltip">{text}</Tooltip.Popup>
        </Tooltip.Positioner>
      </Tooltip.Portal>
    </Tooltip.Root>
  )
}
