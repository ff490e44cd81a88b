import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { requestQuery } from '../api/approvals'
import type { ActivityEntry } from '../api/client'
import { approvedWords } from '../approvals/words'
import { Avatar, nameOf, Time } from '../design/small'
import { ChangeList } from '../grammar/difference-list'
import '../flag/flag.css'
import { toRequest } from '../shell/item-pages'
import { toFlag } from '../shell/pages'
import { changesIn, verbWords } from './words'

const project = getRouteApi('/project/$projectId')

/** Returns the version that an entry made, or null for none. */
export function versionOf({ activity, detail }: ActivityEntry): number | null {
  if (activity === 'created') return 1
  const { after } = detail.changes.find(({ field }) => field === 'version') ?? {}
  return typeof after === 'number' ? after : null
}

interface EntryListProps {
  entries: readonly ActivityEntry[]
  /** Names the item of an entry, if the list has entries about several. */
  subject?(entry: ActivityEntry): ReactNode
  action?(entry: ActivityEntry): ReactNode
}

/** Entries of the activity log: who, what, when, and the differences. */
export const EntryList = ({ entries, subject, action }: EntryListProps) => (
  <ol className="timeline">
    {entries.length === 0 && <li className="soft">Nothing has happened yet.</li>}
    {entries.map((entry) => {
      const person = entry.user.is_system ? { first_name: 'Halyard' } : entry.user
      return (
        <li key={entry.id}>
          <Avatar person={person} />
          <div className="stack">
            <div className="row spread wrap">
              <span>
                <strong>{nameOf(person)}</strong>{' '}
                {entry.was_impersonated && <span className="soft">(impersonated by staff)</span>}{' '}
                {verbWords(entry)} {subject ? subject(entry) : entry.activity.startsWith('person') && 'it'}{' '}
                <span className="soft">
                  <Time at={entry.created_at} />
                  {entry.detail.trigger && (
                    <>
                      {' '}
                      · <Cause entry={entry} trigger={entry.detail.trigger} />
                    </>
                  )}
                </span>
              </span>
              {action?.(entry)}
            </div>
            <ChangeList scope={entry.scope} changes={changesIn(entry)} />
          </div>
        </li>
      )
    })}
  </ol>
)

interface CauseProps {
  entry: ActivityEntry
  trigger: NonNullable<ActivityEntry['detail']['trigger']>
}

/** What made a change if it was not the user at its time: a schedule, or those who approved it. */
function Cause({ entry, trigger: { job_type: job, job_id: id } }: CauseProps) {
  const { projectId } = project.useParams()
  const isApproved = job === 'change_request'
  const request = useQuery({ ...requestQuery(projectId, id), enabled: isApproved, retry: false })
  // A request is deleted long before the entry.
  if (isApproved && request.isError) return 'approved'
  if (isApproved) {
    const approvals = request.data?.approvals.filter(({ decision }) => decision === 'approved') ?? []
    const names = approvals.map(({ created_by: voter }) => (voter ? nameOf(voter) : 'a deleted user'))
    return <Link {...toRequest(projectId, id)}>{approvedWords(names)}</Link>
  }
  return (
    <Link {...toFlag(projectId, Number(entry.item_id))} search={{ tab: 'schedule' }}>
      by a scheduled change
    </Link>
  )
}
