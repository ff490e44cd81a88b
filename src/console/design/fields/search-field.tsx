import { Search } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useShortcuts } from '../use-shortcuts'
import { Input } from './field'

/** The milliseconds after the last key before a search is sent. */
const TYPING_MS = 200

interface SearchFieldProps {
  /** The text in the address. */
  value: string
  onChange(value: string): void
  label: string
  placeholder: string
}

/** A search that follows typing. The key `/` focuses it. */
export function SearchField({ value, onChange, label, placeholder }: SearchFieldProps) {
  const field = useRef<HTMLInputElement>(null)
  const [text, setText] = useState(value)
  useShortcuts({ '/': () => field.current?.focus() })
  // The ref has the address when the timer fires, not when it was set.
  const latest = useRef({ value, onChange })
  const sent = useRef(value)
  useEffect(() => {
    latest.current = { value, onChange }
  })
  useEffect(() => {
    const timer = setTimeout(() => {
      if (text === latest.current.value) return
      sent.current = text
      latest.current.onChange(text)
    }, TYPING_MS)
    return () => clearTimeout(timer)
  }, [text])
  // The address changed by other means, such as the back button or a link.
  useEffect(() => {
    if (value !== sent.current) setText(value)
    sent.current = value
  }, [value])
  return (
    <div className="input-group grow search-field">
      <Search size={15} aria-hidden />
      <Input
        ref={field}
        type="search"
        value={text}
        onChange={(event) => setText(event.target.value)}
        placeholder={placeholder}
        aria-label={label}
        aria-keyshortcuts="/"
      />
    </div>
  )
}
