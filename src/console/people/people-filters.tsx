import type { PeopleFilter } from '../api/people'
import { ClearButton } from '../design/button'
import { SearchField } from '../design/fields/search-field'
import { ConditionFilter } from './condition-filter'
import { whereOf } from './conditions'
import type { PeopleSearchChange } from './search'

interface PeopleFiltersProps {
  projectId: number
  /** Index of the group type; undefined for persons. */
  groupType?: number
  filter: PeopleFilter
  onChange(change: PeopleSearchChange): void
  label: string
  placeholder: string
}

/** The filters of a list of persons or groups. */
export const PeopleFilters = ({
  projectId,
  groupType,
  filter,
  onChange,
  label,
  placeholder,
}: PeopleFiltersProps) => (
  <div className="row wrap" role="search">
    <SearchField
      value={filter.search ?? ''}
      onChange={(text) => onChange({ search: text })}
      label={label}
      placeholder={placeholder}
    />
    <ConditionFilter
      projectId={projectId}
      kind={groupType === undefined ? 'person' : 'group'}
      {...(groupType === undefined ? {} : { groupType })}
      conditions={filter.conditions ?? []}
      onChange={(conditions) => onChange({ where: whereOf(conditions) })}
    />
    {Object.keys(filter).length > 0 && (
      <ClearButton onClick={() => onChange({ search: undefined, where: undefined })} />
    )}
  </div>
)
