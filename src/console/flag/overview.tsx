// What a flag does, to read. Each part becomes a form in its place, and all are saved together.
import { useState } from 'react'
import type { Flag } from '../api/client'
import { Part } from '../edit/part'
import { ConditionSets, releaseHint } from './condition-sets'
import { DescriptionFields, EvaluationFields } from './detail-fields'
import { DetailsView } from './details-view'
import { type Draft, type Issues, kindOf } from './draft'
import { LinksCard } from './links-card'
import { changedParts, type PartName } from './parts'
import { ReleaseView } from './release-view'
import { TryCard } from './try-card'
import { UsageCard } from './usage-card'
import { KINDS, ValueFields } from './value-fields'
import { ValueView } from './value-view'

/** Returns the parts that are forms. */
export function useEditedParts(base: Draft, draft: Draft) {
  // A part whose edit outlived a reload is a form at once.
  const [edited, setEdited] = useState(() => changedParts(base, draft))
  return {
    edited,
    open: (parts: Iterable<PartName>) => setEdited((before) => new Set([...before, ...parts])),
    toggle: (part: PartName) =>
      setEdited((before) => {
        const after = new Set(before)
        if (!after.delete(part)) after.add(part)
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
  refusal: { attr: string | null; message: string } | null
  edited: ReadonlySet<PartName>
  onToggle(part: PartName): void
}

export function Overview(props: OverviewProps) {
  const { projectId, flag, base, draft, refusal, edited, onToggle } = props
  const refused = (attr: string) => (refusal?.attr === attr ? refusal.message : undefined)
  const changed = changedParts(base, draft)
  const partProps = (part: PartName) => ({
    isEdited: edited.has(part),
    isChanged: changed.has(part),
    canEdit: flag.can_edit,
    onToggle: () => onToggle(part),
  })
  const kind = kindOf(draft)
  return (
    <div className="overview">
      <div className="stack">
        <Part
          {...partProps('release')}
          title="Who gets it"
          hint={releaseHint(draft)}
          view={<ReleaseView projectId={projectId} flag={flag} draft={draft} />}
          form={<ConditionSets {...props} refused={refused('filters')} />}
        />
        <Part
          {...partProps('value')}
          title="What they get"
          hint={KINDS.find(([each]) => each === kind)?.[1]}
          view={<ValueView draft={draft} />}
          form={<ValueFields {...props} />}
        />
        <UsageCard projectId={projectId} flag={flag} />
      </div>
      <aside className="stack" aria-label="About the flag">
        <Part
          {...partProps('details')}
          title="Details"
          view={<DetailsView flag={flag} draft={draft} />}
          form={
            <>
              <DescriptionFields {...props} refused={refused} />
              <EvaluationFields {...props} refused={refused} />
            </>
          }
        />
        <LinksCard projectId={projectId} flag={flag} />
        <TryCard projectId={projectId} flag={flag} />
      </aside>
    </div>
  )
}
