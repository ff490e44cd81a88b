import { Search } from 'lucide-react'
import { useRef } from 'react'
import { useSettledInput } from '../use-settled'
import { useShortcuts } from '../use-shortcuts'
import { Input } from './field'

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
  const [text, setText] = useSettledInput(value, onChange)
  useShortcuts({ '/': () => field.current?.focus() })
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
