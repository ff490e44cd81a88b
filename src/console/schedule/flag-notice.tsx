// Says on the page of a flag what changes it next.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { projectQuery } from '../api/queries'
import { scheduledChangesQuery } from '../api/scheduled-changes'
import { Notice } from '../design/feedback'
import { useWording } from '../grammar/use-wording'
import { toFlag } from '../shell/pages'
import { changeWords, setsOf, waitingOf } from './words'
import { zonedText } from './zoned-time'

export default function ScheduleNotice({ projectId, flagId }: { projectId: number; flagId: number }) {
  const changes = useQuery({ ...scheduledChangesQuery(projectId, flagId), refetchInterval: false })
  const timezone = useQuery(projectQuery(projectId)).data?.timezone
  const waiting = waitingOf(changes.data?.results ?? [])
  const [next] = waiting
  const wording = useWording(projectId, next ? setsOf(next.payload) : [])
  if (!next || !timezone) return null
  return (
    <Notice>
      {changeWords(next.payload, wording)} on {zonedText(next.scheduled_at, timezone)}:{' '}
      <Link {...toFlag(projectId, flagId)} search={{ tab: 'schedule' }}>
        {waiting.length === 1 ? 'one scheduled change' : `the first of ${waiting.length} scheduled changes`}
      </Link>
      .
    </Notice>
  )
}
