// Loaded when the filters are opened: fields with suggestions are a large part of a page's script.
import { Tokens } from '../design/fields/combobox'
import { useKnownNames } from './known-names'
import { type FlagSearch, tagsOf, tagsText } from './search'

interface TagFilterProps {
  projectId: number
  search: FlagSearch
  onChange(change: Pick<FlagSearch, 'tags' | 'excluded_tags'>): void
}

export default function TagFilter({ projectId, search, onChange }: TagFilterProps) {
  const suggestions = useKnownNames(projectId, 'tags')
  return (
    <>
      <Tokens
        label="Tags"
        values={tagsOf(search.tags)}
        onChange={(tags) => onChange({ tags: tagsText(tags) })}
        suggestions={suggestions}
        placeholder="Any tag"
      />
      <Tokens
        label="Without tags"
        values={tagsOf(search.excluded_tags)}
        onChange={(tags) => onChange({ excluded_tags: tagsText(tags) })}
        suggestions={suggestions}
        placeholder="Without tags"
      />
    </>
  )
}
