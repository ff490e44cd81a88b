// Shows what waits for approval on a flag.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ChangeRequest, flagRequestsQuery } from '../api/approvals'
import { Notice } from '../design/feedback'
import { nameOf } from '../design/small'
import { useTitle } from './use-title'
import { progressWords } from './words'
import { toRequest } from '../shell/item-pages'

export default function FlagNotice({ projectId, flagId }: { projectId: number; flagId: number }) {
  const requests = useQuery(flagRequestsQuery(projectId, flagId))
  return requests.data?.results.map((request) => (
    <RequestNotice key={request.id} projectId={projectId} request={request} />
  ))
}

const RequestNotice = ({ projectId, request }: { projectId: number; request: ChangeRequest }) => (
  <Notice>
    A change of {request.created_by ? nameOf(request.created_by) : 'a deleted user'} waits for approval (
    {progressWords(request)}):{' '}
    <Link {...toRequest(projectId, request.id)}>{useTitle(projectId, request)}</Link>
  </Notice>
)
