// Says what made a change if it was not the user at its time: a schedule, or those who approved it.
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { requestQuery } from '../api/approvals'
import type { ActivityEntry } from '../api/client'
import { approvedWords } from '../approvals/words'
import { nameOf } from '../design/small'
import { toRequest } from '../shell/item-pages'
import { toFlag } from '../shell/pages'

const project = getRouteApi('/project/$projectId')

interface CauseProps {
  entry: ActivityEntry
  trigger: NonNullable<ActivityEntry['detail']['trigger']>
}

export function Cause({ entry, trigger: { job_type: job, job_id: id } }: CauseProps) {
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
