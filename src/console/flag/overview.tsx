// Shows what a flag does. Each section becomes a form in its place, and all are saved together.
import { useState } from 'react'
import type { Flag } from '../api/client'
import { EditableSection } from '../edit/editable-section'
import { ConditionSets, releaseHint } from './condition-sets'
import { DescriptionFields, EvaluationFields } from './detail-fields'
import { DetailsView } from './details-view'
import { type Draft, type Issues, kindOf, type Refused } from './draft'
import { LinksCard } from './links-card'
import { changedSections, type SectionName } from './sections'
import { ReleaseView } from './release-view'
import { TryCard } from './try-card'
import { UsageCard } from './usage-card'
import { KINDS, ValueFields } from './value-fields'
import { ValueView } from './value-view'

/** Returns the sections that are forms. */
export function useEditedSections(base: Draft, draft: Draft) {
  // A section whose edit outlived a reload is a form at once.
  const [edited, setEdited] = useState(() => changedSections(base, draft))
  return {
    edited,
    open: (sections: Iterable<SectionName>) => setEdited((before) => new Set([...before, ...sections])),
    toggle: (section: SectionName) =>
      setEdited((before) => {
        const after = new Set(before)
        if (!after.delete(section)) after.add(section)
        return after
      }),
    closeAll: () => setEdited(new Set()),
  }
}

interface OverviewProps {
  projectId: number
  flag: Flag
  base: Draft
  draft: Draft
  onChange(draft: Draft): void
  issues: Issues
  areIssuesShown: boolean
  refused: Refused
  edited: ReadonlySet<SectionName>
  onToggle(section: SectionName): void
}

export function Overview(props: OverviewProps) {
  const { projectId, flag, base, draft, refused, edited, onToggle } = props
  const changed = changedSections(base, draft)
  const sectionProps = (section: SectionName) => ({
    isEdited: edited.has(section),
    isChanged: changed.has(section),
    canEdit: flag.can_edit,
    onToggle: () => onToggle(section),
  })
  const kind = kindOf(draft)
  return (
    <div className="overview">
      <div className="stack">
        <EditableSection
          {...sectionProps('release')}
          title="Who gets it"
          hint={releaseHint(draft)}
          view={<ReleaseView projectId={projectId} flag={flag} draft={draft} />}
          form={<ConditionSets {...props} refused={refused('filters')} />}
        />
        <EditableSection
          {...sectionProps('value')}
          title="What they get"
          hint={KINDS.find(([each]) => each === kind)?.[1]}
          view={<ValueView draft={draft} />}
          form={<ValueFields {...props} />}
        />
        <UsageCard projectId={projectId} flag={flag} />
      </div>
      <aside className="stack" aria-label="About the flag">
        <EditableSection
          {...sectionProps('details')}
          title="Details"
          view={<DetailsView projectId={projectId} flag={flag} draft={draft} />}
          form={
            <>
              <DescriptionFields {...props} />
              <EvaluationFields {...props} />
            </>
          }
        />
        <LinksCard projectId={projectId} flag={flag} />
        <TryCard projectId={projectId} flag={flag} />
      </aside>
    </div>
  )
}
