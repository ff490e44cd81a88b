// Shows who gets a flag: each condition set as a sentence, with its share and its reach.
import type { Flag } from '../api/client'
import { Badge } from '../design/small'
import { capitalized } from '../grammar/words'
import { setsOf, setWords } from '../grammar/sets'
import { useWording } from '../grammar/use-wording'
import type { Draft } from './draft'
import { SetReach, TotalReach, useSubjects } from './reach-lines'

interface ViewProps {
  projectId: number
  flag: Flag
  draft: Draft
}

export function ReleaseView({ projectId, flag, draft }: ViewProps) {
  const groups = setsOf(draft.filters)
  const wording = { ...useWording(projectId, groups), maxValues: 20 }
  const { subjectOf } = useSubjects(projectId)
  return (
    <>
      {!flag.active && (
        <p className="soft">
          {flag.archived
            ? 'The flag is archived: no one gets it until it is taken out of the archive and enabled.'
            : 'The flag is disabled: no one gets it until it is enabled.'}
        </p>
      )}
      {groups.length === 0 && <p className="soft">No one: there is no condition set.</p>}
      <ol className="set-lines">
        {groups.map((set, index) => {
          const share = set.rollout_percentage ?? 100
          return (
            // Sets have no identity except their place.
            <li key={index} className="set-line">
              <p>
                {capitalized(setWords(set, wording))}
                {set.variant && (
                  <>
                    {' '}
                    <Badge>always the variant {set.variant}</Badge>
                  </>
                )}
              </p>
              <span className="bar" aria-hidden>
                <span style={{ width: `${share}%` }} />
              </span>
              <SetReach
                projectId={projectId}
                set={set}
                groupType={set.aggregation_group_type_index}
                subject={subjectOf(set.aggregation_group_type_index)}
              />
            </li>
          )
        })}
      </ol>
      {Boolean(draft.filters.feature_enrollment) && (
        <p className="soft">
          People who enrolled in early access get it, and those who opted out do not, whatever the condition
          sets say.
        </p>
      )}
      {Boolean(draft.filters.holdout) && (
        <p className="soft">People in the holdout get the value of the holdout instead.</p>
      )}
      {groups.length > 1 && <TotalReach projectId={projectId} filters={draft.filters} />}
    </>
  )
}
