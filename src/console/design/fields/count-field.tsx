// Renders a field for a whole number from 1 on.
import { type ReactNode, useEffect, useState } from 'react'
import { Field, Input } from './field'

interface CountFieldProps {
  label: string
  error?: string | null
  value: number
  max?: number
  /** Is called with valid numbers only. A form with another text is not submitted. */
  onChange(count: number): void
  /** What stands beside it, such as a unit. */
  children?: ReactNode
}

export function CountField({ label, error, value, max, onChange, children }: CountFieldProps) {
  const [text, setText] = useState(String(value))
  useEffect(() => setText(String(value)), [value])
  const count = Number(text)
  const isValid = Number.isInteger(count) && count >= 1 && count <= (max ?? count)
  const range = max === undefined ? 'of 1 or more' : `from 1 to ${max}`
  return (
    <Field label={label} error={isValid ? error : `Enter a whole number ${range}.`}>
      {(control) => (
        <div className="row">
          <Input
            {...control}
            type="number"
            required
            min={1}
            max={max}
            value={text}
            onInvalid={(event) => event.preventDefault()}
            onChange={({ target }) => {
              setText(target.value)
              if (target.validity.valid) onChange(target.valueAsNumber)
            }}
          />
          {children}
        </div>
      )}
    </Field>
  )
}
