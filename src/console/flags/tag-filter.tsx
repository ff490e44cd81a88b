// Loaded when the filters are opened: fields with suggestions are a large part of a page's script.
import { useMemo } from 'react'
import type { Flag } from '../api/client'
import { Tokens } from '../design/combobox'

interface TagFilterProps {
  values: readonly string[]
  onChange(values: string[]): void
  /** Those loaded, whose tags are suggested. */
  flags: readonly Flag[]
}

export default function TagFilter({ values, onChange, flags }: TagFilterProps) {
  const suggestions = useMemo(
    () => [...new Set(flags.flatMap((flag) => flag.tags))].sort().map((value) => ({ value })),
    [flags],
  )
  return (
    <Tokens
      label="Tags"
      values={values}
      onChange={onChange}
      suggestions={suggestions}
      placeholder="Any tag"
    />
  )
}
