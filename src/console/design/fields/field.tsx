// Renders a labelled control with a hint and an error beside it.
import { type ComponentProps, type ReactNode, type SyntheticEvent, useId, useState } from 'react'

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
  /** The label for screen readers, where there is no visible one. */
  label?: string
  id?: string
  isSmall?: boolean
  disabled?: boolean
}

/** A choice of one value. One that is not among the options, such as an unusual value of the API, is shown as it is. */
export const Select = <Value extends string>({
  value,
  options,
  onChange,
  label,
  id,
  isSmall = false,
  disabled = false,
}: SelectProps<Value>) => (
  <select
    id={id}
    aria-label={label}
    className={`button select ${isSmall ? 'small' : ''}`}
    value={value}
    disabled={disabled}
    onChange={(event) => onChange(event.target.value as Value)}
  >
    {!options.some(([each]) => each === value) && <option value={value}>{value}</option>}
    {options.map(([each, text]) => (
      <option key={each} value={each}>
        {text}
      </option>
    ))}
  </select>
)

type FormProps = Omit<ComponentProps<'form'>, 'onSubmit'> & { onSubmit(): void }

/** A form that the page checks, not the browser. Only the browser knows of a text that is half a date or no number: its value is empty. The value of a required field is its last valid one. */
export const Form = ({ onSubmit, ...rest }: FormProps) => (
  <form
    noValidate
    className="stack"
    {...rest}
    onSubmit={(event) => {
      event.preventDefault()
      const half = [...event.currentTarget.elements].find(isHalfTyped)
      if (!half) {
        const form = event.currentTarget
        onSubmit()
        requestAnimationFrame(() => form.querySelector<HTMLElement>('[aria-invalid=true]')?.focus())
        return
      }
      half.focus()
      half.reportValidity()
    }}
  />
)

const isHalfTyped = (control: Element): control is HTMLInputElement =>
  control instanceof HTMLInputElement &&
  (control.validity.badInput || (control.required && !control.validity.valid))

const HALF_TYPED: Readonly<Record<string, string>> = {
  date: 'Enter a date.',
  'datetime-local': 'Enter a date and a time.',
  number: 'Enter a number.',
}

type Labelled = Omit<FieldProps, 'children'>

/** The event of a control whose value is a text. */
interface Texts {
  onChange(text: string): void
}

export const TextField = ({
  label,
  hint,
  error,
  onChange,
  ...rest
}: Labelled & Omit<ComponentProps<'input'>, keyof Texts> & Texts) => {
  const [isHalf, setIsHalf] = useState(false)
  const check = ({ currentTarget }: SyntheticEvent<HTMLInputElement>) => setIsHalf(isHalfTyped(currentTarget))
  return (
    <Field label={label} hint={hint} error={isHalf ? HALF_TYPED[rest.type ?? ''] : error}>
      {(control) => (
        <Input
          onBlur={check}
          onInvalid={(event) => {
            // The field says it in the browser's place.
            event.preventDefault()
            check(event)
          }}
          {...control}
          {...rest}
          onChange={(event) => {
            check(event)
            onChange(event.target.value)
          }}
        />
      )}
    </Field>
  )
}

/** A text of several lines. */
export const AreaField = ({
  label,
  hint,
  error,
  onChange,
  ...rest
}: Labelled & Omit<ComponentProps<'textarea'>, keyof Texts> & Texts) => (
  <Field label={label} hint={hint} error={error}>
    {(control) => <TextArea {...control} {...rest} onChange={(event) => onChange(event.target.value)} />}
  </Field>
)

export const SelectField = <Value extends string>({
  label,
  hint,
  error,
  ...rest
}: Labelled & Omit<SelectProps<Value>, 'label' | 'id'>) => (
  <Field label={label} hint={hint} error={error}>
    {({ id }) => <Select {...rest} id={id} />}
  </Field>
)

interface ToggleProps {
  isChecked: boolean
  onChange(isChecked: boolean): void
  /** The label for screen readers. */
  label: string
  disabled?: boolean
  /** Whether its change is saved, and further ones are ignored. A disabled element would lose the focus. */
  isBusy?: boolean
}

export const Switch = ({ isChecked, onChange, label, disabled = false, isBusy = false }: ToggleProps) => (
  <input
    type="checkbox"
    role="switch"
    className="switch"
    aria-label={label}
    checked={isChecked}
    disabled={disabled}
    aria-disabled={isBusy || undefined}
    onChange={(event) => !isBusy && onChange(event.target.checked)}
  />
)

/** @param isPartly shows that some of what it stands for are checked. */
export const Checkbox = ({
  isChecked,
  isPartly = false,
  isInvalid = false,
  onChange,
  label,
  disabled = false,
}: Omit<ToggleProps, 'onChange' | 'isBusy'> & {
  isPartly?: boolean
  isInvalid?: boolean
  /** @param isRange whether Shift was pressed: the change is for all from the last one to this */
  onChange(isChecked: boolean, isRange: boolean): void
}) => (
  <input
    type="checkbox"
    className="checkbox"
    aria-label={label}
    aria-invalid={isInvalid || undefined}
    checked={isChecked}
    disabled={disabled}
    ref={(element) => {
      if (element) element.indeterminate = isPartly
    }}
    onChange={(event) => onChange(event.target.checked, (event.nativeEvent as MouseEvent).shiftKey)}
  />
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
