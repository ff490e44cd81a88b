import { Card } from '../design/card'
import { AreaField, SelectField } from '../design/fields/field'
import { TagsField } from '../edit/tags-field'
import { type Draft, FRESHNESS, type Refused } from './draft'

interface SettingsCardProps {
  draft: Draft
  onChange(change: Partial<Draft>): void
  refused: Refused
}

/** Fields for the purpose of a query, and for how old its results may be. */
export function SettingsCard({ draft, onChange, refused }: SettingsCardProps) {
  return (
    <Card title="Settings">
      <AreaField
        label="Description"
        error={refused('description')}
        className="grow"
        rows={2}
        value={draft.description}
        placeholder="What it answers, and for whom"
        onChange={(entered) => onChange({ description: entered })}
      />
      <div className="pair">
        <SelectField
          label="Results may be this old"
          hint="Programs get a stored result until then. Materialized rows are rebuilt at this interval."
          error={refused('data_freshness_seconds')}
          value={String(draft.data_freshness_seconds)}
          options={FRESHNESS}
          onChange={(seconds) => onChange({ data_freshness_seconds: Number(seconds) })}
        />
        <TagsField tags={draft.tags} onChange={(tags) => onChange({ tags })} error={refused('tags')} />
      </div>
    </Card>
  )
}
