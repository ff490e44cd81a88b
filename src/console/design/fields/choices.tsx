import { useId } from 'react'

interface ChoicesProps<Value extends string> {
  value: Value
  onChange(value: Value): void
  legend: string
  isLegendHidden?: boolean
  options: readonly (readonly [value: Value, title: string, hint: string])[]
}

/** A choice of one of a few, each with an explanation. */
export function Choices<Value extends string>({
  legend,
  isLegendHidden = false,
  value,
  options,
  onChange,
}: ChoicesProps<Value>) {
  const name = useId()
  return (
    <fieldset className="kinds">
      <legend className={isLegendHidden ? 'visually-hidden' : 'label'}>{legend}</legend>
      {options.map(([each, title, hint]) => (
        <label key={each} className="kind">
          <input type="radio" name={name} checked={value === each} onChange={() => onChange(each)} />
          <span>
            <strong>{title}</strong>
            <span className="soft small">{hint}</span>
          </span>
        </label>
      ))}
    </fieldset>
  )
}
