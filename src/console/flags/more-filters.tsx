// Renders filters of flags that are used less often. They load separately, because fields with suggestions are a large part of a page's script.
import { Tokens } from '../design/fields/combobox'
import { Select } from '../design/fields/field'
import type { SetSearch } from '../list/list-page'
import CreatorSelect from '../team/creator-select'
import { useKnownNames } from './known-names'
import { type FlagSearch, tagsOf, tagsText } from './search'

const TYPE = [
  ['', 'Any type'],
  ['boolean', 'On or off'],
  ['multivariant', 'With variants'],
  ['remote_config', 'Remote configuration'],
  ['experiment', 'Experiment'],
] as const
const RUNTIME = [
  ['', 'Any runtime'],
  ['all', 'Client and server'],
  ['client', 'Client only'],
  ['server', 'Server only'],
] as const
const CONTEXTS = [
  ['', 'With or without contexts'],
  ['true', 'With evaluation contexts'],
  ['false', 'Without evaluation contexts'],
] as const

const ORDER = [
  ['', 'Newest first'],
  ['created_at', 'Oldest first'],
  ['key', 'By key'],
  ['name', 'By description'],
  ['created_by', 'By creator'],
  ['-updated_at', 'Changed last'],
  ['-last_called_at', 'Called last'],
] as const

interface MoreFiltersProps {
  projectId: number
  search: FlagSearch
  onChange: SetSearch<FlagSearch>
}

export default function MoreFilters({ projectId, search, onChange }: MoreFiltersProps) {
  const suggestions = useKnownNames(projectId, 'tags')
  return (
    <>
      <Select label="Type" value={search.type ?? ''} options={TYPE} onChange={(type) => onChange({ type })} />
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
      <CreatorSelect value={search.created_by_id ?? ''} onChange={(id) => onChange({ created_by_id: id })} />
      <Select
        label="Runtime"
        value={search.evaluation_runtime ?? ''}
        options={RUNTIME}
        onChange={(runtime) => onChange({ evaluation_runtime: runtime })}
      />
      <Select
        label="Evaluation contexts"
        value={search.has_evaluation_contexts ?? ''}
        options={CONTEXTS}
        onChange={(contexts) => onChange({ has_evaluation_contexts: contexts })}
      />
      <Select
        label="Order"
        value={search.order ?? ''}
        options={
          ORDER.some(([order]) => order === (search.order ?? ''))
            ? ORDER
            : [...ORDER, [search.order ?? '', 'By column'] as const]
        }
        onChange={(order) => onChange({ order })}
      />
    </>
  )
}
