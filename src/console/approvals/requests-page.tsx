// Changes of flags that wait for approval, and those that ended.
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { ClipboardCheck } from 'lucide-react'
import { OlderButton } from '../design/older-button'
import { PageHeader } from '../design/page-header'
import { type ChangeRequest, requestsQuery } from '../api/approvals'
import { Empty, Loading, PageProblem } from '../design/feedback'
import { Badge, nameOf, Time } from '../design/small'
import { Tabs } from '../design/tabs'
import { useTitle } from './use-title'
import { progressWords, stateOf } from './words'
import { pagesOf } from '../shell/pages'
import { toRequest } from '../shell/item-pages'
import './approvals.css'

const route = getRouteApi('/project/$projectId/change_requests')

const TABS = [
  ['pending', 'Waiting'],
  ['applied', 'Applied'],
  ['rejected', 'Rejected or canceled'],
  ['failed', 'Failed or expired'],
] as const

const STATES = { pending: 'pending', applied: 'applied', rejected: 'rejected', failed: 'failed,expired' }

export function RequestsPage() {
  const { projectId } = route.useParams()
  const { tab = 'pending' } = route.useSearch()
  const requests = useInfiniteQuery(requestsQuery(projectId, STATES[tab]))
  if (requests.isPending) return <Loading label="Loading change requests" />
  if (!requests.data) return <PageProblem error={requests.error} onRetry={() => void requests.refetch()} />
  const results = requests.data.pages.flatMap((page) => page.results)
  return (
    <>
      <PageHeader
        title="Change requests"
        note="Changes of flags that take effect once others approve them."
      />
      <Tabs label="State of the requests" current={tab} tabs={TABS} />
      {results.length === 0 ? (
        <Empty
          icon={<ClipboardCheck size={28} aria-hidden />}
          title={tab === 'pending' ? 'Nothing waits for approval' : 'No such requests in the last 90 days'}
        >
          {tab === 'pending' && (
            <>
              Which changes need approval is set under{' '}
              <Link {...pagesOf(projectId).approvals}>Settings, Approvals</Link>.
            </>
          )}
        </Empty>
      ) : (
        <ul className="card request-list">
          {results.map((request) => (
            <RequestRow key={request.id} projectId={projectId} request={request} />
          ))}
        </ul>
      )}
      <OlderButton list={requests} />
    </>
  )
}

function RequestRow({ projectId, request }: { projectId: number; request: ChangeRequest }) {
  const { tone, text } = stateOf(request)
  return (
    <li className="row spread wrap">
      <div className="grow">
        <Link {...toRequest(projectId, request.id)}>{useTitle(projectId, request)}</Link>
        <div className="soft small">
          {request.created_by ? nameOf(request.created_by) : 'A deleted user'}{' '}
          <Time at={request.created_at} /> · {progressWords(request)}
        </div>
      </div>
      {request.can_approve && <Badge tone="warn">Waits for you</Badge>}
      <Badge tone={tone}>{text}</Badge>
    </li>
  )
}
