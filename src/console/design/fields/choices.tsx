import { type ReactNode, useId } from 'react'
import { Checkbox } from './field'

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

interface CheckListProps<Value> {
  legend: string
  options: readonly (readonly [value: Value, label: string, note?: ReactNode])[]
  isChosen(value: Value): boolean
  onChoose(value: Value, isChosen: boolean): void
  /** The first one takes the focus then. */
  isInvalid?: boolean
  children?: ReactNode
}

/** A choice of any number of some. */
export const CheckList = <Value,>({
  legend,
  options,
  isChosen,
  onChoose,
  isInvalid = false,
  children,
}: CheckListProps<Value>) => (
  <fieldset className="check-list">
    <legend className="label">{legend}</legend>
    {options.map(([value, label, note], index) => (
      <label key={index} className="row">
        <Checkbox
          label={label}
          isInvalid={isInvalid && index === 0}
          isChecked={isChosen(value)}
          onChange={(isIn) => onChoose(value, isIn)}
        />
        <span>
          {label} {note}
        </span>
      </label>
    ))}
    {children}
  </fieldset>
)

/** Returns the list with a member chosen, or not. */
export const toggled = <T,>(list: readonly T[], member: T, isChosen: boolean): T[] =>
  isChosen ? [...list, member] : list.filter((each) => each !== member)
