// Shows the purpose of a flag, and facts about it.
import type { Flag } from '../api/client'
import { FIELDS } from '../../flag-fields'
import { Badge, nameOf, Time } from '../design/small'
import { capitalized } from '../grammar/words'
import { groupTypesOf } from '../grammar/sets'
import type { Draft } from './draft'
import { useSubjects } from './reach-lines'

const NONE = <span className="soft">None</span>

interface DetailsProps {
  projectId: number
  flag: Flag
  draft: Draft
}

export function DetailsView({ projectId, flag, draft }: DetailsProps) {
  const contexts = draft.evaluation_contexts
  const { subjectOf } = useSubjects(projectId)
  const people = FIELDS.bucketing_identifier.choices[draft.bucketing_identifier ?? 'distinct_id']
  const subjects = groupTypesOf(draft.filters).map((index) => (index === null ? people : subjectOf(index)))
  return (
    <>
      {draft.name === '' ? <p className="soft">No description.</p> : <p className="pre-line">{draft.name}</p>}
      <dl className="facts">
        <dt>Tags</dt>
        <dd className="row wrap">
          {draft.tags.length === 0 ? NONE : draft.tags.map((tag) => <Badge key={tag}>{tag}</Badge>)}
        </dd>
        <dt>Runtime</dt>
        <dd>{FIELDS.evaluation_runtime.choices[draft.evaluation_runtime ?? 'all']}</dd>
        <dt>Evaluation contexts</dt>
        <dd>{contexts.length === 0 ? 'All' : contexts.join(', ')}</dd>
        <dt>Bucketed by</dt>
        <dd>{capitalized(subjects.join(' and ')) || people}</dd>
        {draft.ensure_experience_continuity && (
          <>
            <dt>Persist across sign-in</dt>
            <dd>Yes</dd>
          </>
        )}
        <dt>Created</dt>
        <dd>
          <Time at={flag.created_at} />
          {flag.created_by && <> by {nameOf(flag.created_by)}</>}
        </dd>
        <dt>Version</dt>
        <dd>{flag.version}</dd>
      </dl>
    </>
  )
}
