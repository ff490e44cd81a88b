// Renders fields that suggest values while the user types, and take others too.
import { Autocomplete } from '@base-ui/react/autocomplete'
import { X } from 'lucide-react'
import { type ComponentProps, type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { Field } from './field'
import { removePart } from '../part-focus'
import { usePopupContainer } from '../popups/popup-container'

export interface Suggestion {
  value: string
  detail?: string
}

interface SuggestProps {
  id?: string
  value: string
  onChange(value: string): void
  suggestions: readonly Suggestion[]
  label: string
  placeholder?: string
  isInvalid?: boolean
  'aria-describedby'?: string | undefined
  onKeyDown?(event: KeyboardEvent): void
  onChoose?(value: string): void
  className?: string
}

const valueOf = ({ value }: Suggestion): string => value

/** A text field with suggestions. Anything else may be entered as well. */
export function Suggest({
  id,
  value,
  onChange,
  suggestions,
  label,
  placeholder,
  isInvalid,
  'aria-describedby': describedBy,
  onKeyDown,
  onChoose,
  className = '',
}: SuggestProps) {
  const container = usePopupContainer()
  const [isOpen, setIsOpen] = useState(false)
  const { contains } = Autocomplete.useFilter()
  const matching = suggestions.filter((item) =>
    contains(item, value.trim(), ({ value: text, detail = '' }) => `${text} ${detail}`),
  )
  const isShown = isOpen && matching.length > 0
  const actions = useRef<Autocomplete.Root.Actions>(null)
  // The library waits for the end of its own popup, which there is none of.
  useEffect(() => {
    if (!isShown) actions.current?.unmount()
  }, [isShown])
  return (
    <Autocomplete.Root
      actionsRef={actions}
      items={matching}
      filter={null}
      // An open list takes Escape.
      open={isShown}
      onOpenChange={setIsOpen}
      value={value}
      onValueChange={(text, details) => {
        // Without an open list, Escape would clear the field.
        if (details.reason === 'escape-key') return setIsOpen(false)
        onChange(text)
      }}
      itemToStringValue={valueOf}
      openOnInputClick
    >
      <Autocomplete.Input
        id={id}
        className={`input ${className}`}
        aria-label={label}
        aria-invalid={isInvalid || undefined}
        aria-describedby={describedBy}
        placeholder={placeholder}
        onKeyDown={(event) => {
          onKeyDown?.(event)
          // Without a chosen suggestion, the list would stay open over what the text changes.
          if (event.key === 'Enter') setIsOpen(false)
        }}
        onBlur={() => setIsOpen(false)}
      />
      <Autocomplete.Portal container={container}>
        <Autocomplete.Positioner positionMethod="fixed" sideOffset={4} align="start" className="positioner">
          {/* Not in a popup of the library, which would hide all else from screen readers, and so what the focus moves to from the field. */}
          <Autocomplete.List
            className="popup"
            aria-label="Suggestions"
            // The focus stays in the field when the list is scrolled.
            onMouseDown={(event) => event.preventDefault()}
          >
            {(item: Suggestion) => (
              <Autocomplete.Item
                key={item.value}
                value={item}
                className="item"
                onClick={() => {
                  onChange(item.value)
                  onChoose?.(item.value)
                }}
              >
                <span className="truncate">{item.value}</span>
                {item.detail && <span className="end">{item.detail}</span>}
              </Autocomplete.Item>
            )}
          </Autocomplete.List>
        </Autocomplete.Positioner>
      </Autocomplete.Portal>
    </Autocomplete.Root>
  )
}

type SuggestFieldProps = Omit<SuggestProps, 'id' | 'isInvalid'> &
  Omit<ComponentProps<typeof Field>, 'children' | 'label'>

export const SuggestField = ({ hint, error, ...rest }: SuggestFieldProps) => (
  <Field label={rest.label} hint={hint} error={error}>
    {({ 'aria-invalid': isInvalid, ...control }) => <Suggest {...rest} {...control} isInvalid={isInvalid} />}
  </Field>
)

interface TokensProps {
  id?: string
  values: readonly string[]
  onChange(values: string[]): void
  suggestions?: readonly Suggestion[]
  label: string
  placeholder?: string
  isInvalid?: boolean
  onType?(text: string): void
}

/** Several values: Enter or a comma ends one, Backspace in an empty field takes the last one back. */
export function Tokens({
  id,
  values,
  onChange,
  suggestions = [],
  label,
  placeholder = '',
  isInvalid,
  onType,
}: TokensProps) {
  const [text, setText] = useState('')
  const type = (next: string) => {
    setText(next)
    onType?.(next)
  }
  const add = (value: string) => {
    const added = value
      .split(',')
      .map((each) => each.trim())
      .filter((each) => each !== '' && !values.includes(each))
    if (added.length > 0) onChange([...values, ...added])
    type('')
  }
  return (
    <div
      className="tokens"
      data-invalid={isInvalid || undefined}
      onBlur={(event) => {
        // Typed text that was not committed is kept.
        if (!event.currentTarget.contains(event.relatedTarget)) add(text)
      }}
    >
      {values.map((value) => (
        <span className="token" key={value}>
          {value}
          <button
            type="button"
            aria-label={`Remove ${value}`}
            onClick={(event) => removePart(event, () => onChange(values.filter((each) => each !== value)))}
          >
            <X size={12} aria-hidden />
          </button>
        </span>
      ))}
      <Suggest
        id={id}
        className="bare"
        label={label}
        value={text}
        onChange={type}
        // A suggestion is one value, with its commas and spaces.
        onChoose={(value) => {
          onChange([...values, value])
          type('')
        }}
        suggestions={suggestions.filter(({ value }) => !values.includes(value))}
        placeholder={values.length === 0 ? placeholder : ''}
        isInvalid={isInvalid}
        onKeyDown={(event) => {
          if ((event.key === 'Enter' || event.key === ',') && text.trim() !== '') {
            event.preventDefault()
            add(text)
          }
          if (event.key === 'Backspace' && text === '' && values.length > 0) onChange(values.slice(0, -1))
        }}
      />
    </div>
  )
}
