// A labelled control with a hint and an error beside it.
import { Checkbox as BaseCheckbox } from '@base-ui/react/checkbox'
import { Select as BaseSelect } from '@base-ui/react/select'
import { Switch as BaseSwitch } from '@base-ui/react/switch'
import { Check, ChevronsUpDown, Minus } from 'lucide-react'
import { type ComponentProps, type ReactNode, useId } from 'react'

interface FieldProps {
  label: string
  hint?: ReactNode
  error?: string | null | undefined
  /** The control, with the attributes that tie it to its label, hint and error. */
  children(control: {
    id: string
    'aria-describedby': string | undefined
    'aria-invalid': boolean
  }): ReactNode
}

export function Field({ label, hint, error, children }: FieldProps) {
  const id = useId()
  const describedBy = [hint ? `${id}-hint` : '', error ? `${id}-error` : ''].filter(Boolean).join(' ')
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children({ id, 'aria-describedby': describedBy || undefined, 'aria-invalid': Boolean(error) })}
      {hint && (
        <p className="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {error && (
        <p className="error" id={`${id}-error`} role="alert">
          {error}
        </p>
      )}
    </div>
  )
}

export const Input = ({ className = '', ...rest }: ComponentProps<'input'>) => (
  <input className={`input ${className}`} autoComplete="off" {...rest} />
)

export const TextArea = ({ className = '', ...rest }: ComponentProps<'textarea'>) => (
  <textarea className={`input ${className}`} {...rest} />
)

interface SelectProps<Value extends string> {
  value: Value
  options: readonly (readonly [value: Value, label: string])[]
  onChange(value: Value): void
  label?: string
  id?: string
  isSmall?: boolean
  disabled?: boolean
  className?: string
}

/** A choice of few values. `label` is for screen readers, where no visible label stands beside it. */
export function Select<Value extends string>({
  value,
  options,
  onChange,
  label,
  id,
  isSmall = false,
  disabled = false,
  className = '',
}: SelectProps<Value>) {
  return (
    <BaseSelect.Root
      value={value}
      onValueChange={(chosen) => chosen !== null && onChange(chosen)}
      items={options.map(([each, text]) => ({ value: each, label: text }))}
      disabled={disabled}
    >
      <BaseSelect.Trigger
        id={id}
        aria-label={label}
        className={`button select-trigger ${isSmall ? 'small' : ''} ${className}`}
      >
        <span className="truncate">
          <BaseSelect.Value />
        </span>
        <ChevronsUpDown size={14} aria-hidden />
      </BaseSelect.Trigger>
      <BaseSelect.Portal>
        <BaseSelect.Positioner sideOffset={4} alignItemWithTrigger={false} className="positioner">
          <BaseSelect.Popup className="popup">
            {options.map(([each, text]) => (
              <BaseSelect.Item key={each} value={each} className="item">
                <BaseSelect.ItemText>{text}</BaseSelect.ItemText>
                <BaseSelect.ItemIndicator className="end">
                  <Check size={15} aria-hidden />
                </BaseSelect.ItemIndicator>
              </BaseSelect.Item>
            ))}
          </BaseSelect.Popup>
        </BaseSelect.Positioner>
      </BaseSelect.Portal>
    </BaseSelect.Root>
  )
}

interface ToggleProps {
  isChecked: boolean
  onChange(isChecked: boolean): void
  label: string
  disabled?: boolean
}

/** `label` is for screen readers. */
export const Switch = ({ isChecked, onChange, label, disabled = false }: ToggleProps) => (
  <BaseSwitch.Root
    checked={isChecked}
    onCheckedChange={onChange}
    disabled={disabled}
    aria-label={label}
    className="switch"
  >
    <BaseSwitch.Thumb className="thumb" />
  </BaseSwitch.Root>
)

/** `label` is for screen readers. */
export const Checkbox = ({
  isChecked,
  isPartly = false,
  onChange,
  label,
}: ToggleProps & { isPartly?: boolean }) => (
  <BaseCheckbox.Root
    checked={isChecked}
    indeterminate={isPartly}
    onCheckedChange={onChange}
    aria-label={label}
    className="checkbox"
  >
    <BaseCheckbox.Indicator>
      {isPartly ? <Minus size={12} strokeWidth={3} /> : <Check size={12} strokeWidth={3} />}
    </BaseCheckbox.Indicator>
  </BaseCheckbox.Root>
)

/** A switch with its label and explanation in a line. */
export function SwitchRow({
  title,
  hint,
  ...toggle
}: Omit<ToggleProps, 'label'> & { title: string; hint?: ReactNode }) {
  return (
    <div className="row spread">
      <div className="grow">
        <div className="label">{title}</div>
        {hint && <div className="soft small">{hint}</div>}
      </div>
      <Switch {...toggle} label={title} />
    </div>
  )
}
