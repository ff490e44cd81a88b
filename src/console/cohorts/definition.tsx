// Shows the definition of a cohort: its name, purpose and conditions.
import { useQuery } from '@tanstack/react-query'
import { Users } from 'lucide-react'
import { Card } from '../design/card'
import { matchingQuery } from '../api/queries'
import { Notice } from '../design/feedback'
import { AreaField, TextField } from '../design/fields/field'
import { useSettled } from '../design/use-settled'
import '../flag/flag.css'
import { useWording } from '../grammar/use-wording'
import { sizeWords } from './cohort-columns'
import { ConditionTree } from './condition-tree'
import type { Draft, Refused } from './draft'
import { asList, type Group, placeNamed, setOf, treeIssues, treeWords } from './tree'

interface DetailsProps {
  draft: Draft
  onChange(draft: Draft): void
  issue: string | undefined
  refused: Refused
  /** Whether the name takes the focus. */
  autoFocus?: boolean
}

export const DetailFields = ({ draft, onChange, issue, refused, autoFocus }: DetailsProps) => (
  <>
    <TextField
      label="Name"
      error={refused('name') ?? issue}
      value={draft.name}
      maxLength={400}
      autoFocus={autoFocus}
      onChange={(entered) => onChange({ ...draft, name: entered })}
    />
    <AreaField
      label="Description"
      hint="What the cohort is for. Optional."
      error={refused('description')}
      rows={2}
      value={draft.description}
      onChange={(entered) => onChange({ ...draft, description: entered })}
    />
  </>
)

interface ConditionsProps {
  projectId: number
  draft: Draft
  onChange(draft: Draft): void
  issues: ReadonlyMap<string, string>
  refused: Refused
}

export function Conditions({ projectId, draft, onChange, issues, refused }: ConditionsProps) {
  const refusal = refused('filters') ?? refused('groups')
  const place = refusal === null ? null : placeNamed(refusal)
  const shown = place === null ? issues : new Map(issues).set(place, refusal!)
  return (
    <Card title="Who is in it" hint="Everyone who meets the conditions, at any time.">
      {refusal !== null && place === null && <Notice tone="bad">{refusal}</Notice>}
      <ConditionTree
        projectId={projectId}
        group={draft.tree}
        issues={shown}
        onChange={(tree) => onChange({ ...draft, tree })}
      />
      <p className="soft small">
        Conditions do not read events. For people by what they did, such as an order in the last 7 days, see{' '}
        <a href="/docs/guide/cohorts#by-behaviour">By behaviour</a>.
      </p>
      <Reach projectId={projectId} tree={draft.tree} />
    </Card>
  )
}

/** Shows how many persons meet the conditions in the form. */
function Reach({ projectId, tree }: { projectId: number; tree: Group }) {
  const settled = useSettled(tree)
  const isComplete = treeIssues(settled).size === 0
  const wording = useWording(projectId, [setOf(settled)])
  const list = asList(settled)
  const matching = useQuery({
    ...matchingQuery(projectId, list ?? [], null),
    enabled: isComplete && list !== null,
  })
  if (!isComplete)
    return <p className="reach-line soft small">Complete the conditions to see how many people match.</p>
  if (list === null)
    return (
      <p className="reach-line soft small">
        {treeWords(settled, wording)}. Alternatives are counted once the cohort is saved.
      </p>
    )
  if (matching.isError) return <p className="reach-line error-text">{matching.error.message}</p>
  if (!matching.data) return <p className="reach-line soft small">Counting…</p>
  const { affected, total } = matching.data
  return (
    <p className="reach-line soft small" aria-live="polite">
      <Users size={14} aria-hidden />
      {total === 0 ? (
        'No people are known yet: they appear with their first event.'
      ) : (
        <span>
          <strong>{sizeWords(affected, total)}</strong> of {total.toLocaleString('en')} known people
        </span>
      )}
    </p>
  )
}
