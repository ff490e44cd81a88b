// Shows usage at a glance: when a flag was last called, and its evaluations by value over two weeks.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Flag } from '../api/client'
import { chartQuery } from '../api/dashboards'
import { Card } from '../design/card'
import { Loading, ProblemNotice } from '../design/feedback'
import { Time } from '../design/small'
import { callsByValue } from './calls-by-value'
import { toFlag } from '../shell/pages'

const DAYS = 14

const callsOf = (key: string) => ({
  kind: 'TrendsQuery',
  series: [{ kind: 'EventsNode', event: '$feature_flag_called', math: 'total' }],
  properties: [{ key: '$feature_flag', type: 'event', operator: 'exact', value: key }],
  breakdownFilter: { breakdown: '$feature_flag_response', breakdown_type: 'event' },
  interval: 'day',
})

const RANGE = { date_from: `-${DAYS - 1}d`, date_to: null }

const inWords = (count: number) => count.toLocaleString('en')

export function UsageCard({ projectId, flag }: { projectId: number; flag: Flag }) {
  const { data, error, isPending, refetch } = useQuery(chartQuery(projectId, callsOf(flag.key), RANGE))
  const series = callsByValue(flag, data?.results ?? []).filter(({ count }) => count > 0)
  const days = series[0]?.days ?? []
  const most = Math.max(
    1,
    ...days.map((_, at) => series.reduce((sum, each) => sum + (each.data[at] ?? 0), 0)),
  )
  return (
    <Card
      title="Usage"
      hint={
        (series.length > 0 || flag.last_called_at) && (
          <>
            {series.length > 0 && `Calls on each of the last ${DAYS} days. `}
            {flag.last_called_at && (
              <>
                Last called <Time at={flag.last_called_at} />.
              </>
            )}
          </>
        )
      }
      action={
        <TabLink projectId={projectId} flag={flag} tab={flag.last_called_at ? 'usage' : 'code'}>
          {flag.last_called_at ? 'All charts' : 'How to call it'}
        </TabLink>
      }
    >
      {isPending ? (
        <Loading label="Loading usage" />
      ) : error ? (
        <ProblemNotice error={error} onRetry={() => void refetch()} />
      ) : series.length === 0 ? (
        <p className="soft">
          {flag.last_called_at ? `No calls in the last ${DAYS} days.` : 'No SDK has reported a call yet.'}
        </p>
      ) : (
        <>
          <div className="day-bars" aria-hidden>
            {days.map((day, at) => (
              <span
                key={day}
                className="day-bar"
                title={`${day}: ${series.map((each) => `${each.label} ${inWords(each.data[at] ?? 0)}`).join(', ')}`}
              >
                {series.map((each) => (
                  <span
                    key={each.label}
                    className={`swatch-${each.colour}`}
                    style={{ height: `${((each.data[at] ?? 0) / most) * 100}%` }}
                  />
                ))}
              </span>
            ))}
          </div>
          <ul className="row wrap small" aria-label={`Calls in the last ${DAYS} days, by value`}>
            {series.map(({ label, count, colour }) => (
              <li key={label} className="row">
                <span className={`swatch swatch-${colour}`} aria-hidden />
                <span>
                  <span className="mono">{label}</span> {inWords(count)}
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
    </Card>
  )
}

interface TabLinkProps {
  projectId: number
  flag: Flag
  tab: 'usage' | 'code'
  children: string
}

const TabLink = ({ projectId, flag, tab, children }: TabLinkProps) => (
  <Link className="button small" {...toFlag(projectId, flag.id)} search={{ tab }}>
    {children}
  </Link>
)
