// Shows why events were rejected, or changed before they were stored.
import type { UseQueryResult } from '@tanstack/react-query'
import { CircleCheck } from 'lucide-react'
import type { IngestionWarning } from '../api/events'
import { Empty, Loading, ProblemNotice } from '../design/feedback'
import { Badge, Time } from '../design/small'

export function WarningList({ query }: { query: UseQueryResult<IngestionWarning[]> }) {
  if (query.isPending) return <Loading label="Loading the warnings" />
  if (!query.data) return <ProblemNotice error={query.error} onRetry={() => void query.refetch()} />
  return (
    <div className="stack">
      {query.isError && <ProblemNotice error={query.error} onRetry={() => void query.refetch()} />}
      {query.data.length === 0 ? (
        <div className="card">
          <Empty icon={<CircleCheck size={28} aria-hidden />} title="No event was rejected">
            An event that is not valid, or a part of one that has no effect, is listed here for seven days,
            with the reason and the field. The sender finds the same in the response of its request.
          </Empty>
        </div>
      ) : (
        <ol className="card warning-list" aria-label="Warnings">
          {query.data.map((warning) => (
            <Warning key={`${warning.type} ${warning.attr} ${warning.detail}`} warning={warning} />
          ))}
        </ol>
      )}
    </div>
  )
}

const TITLES: Readonly<Record<IngestionWarning['type'], string>> = {
  event_rejected: 'Event rejected',
  part_ignored: 'Part ignored',
  ignored_invalid_timestamp: 'Time of arrival',
  event_timestamp_in_future: 'Time of arrival',
}

function Warning({ warning }: { warning: IngestionWarning }) {
  const { type, detail, attr, count, first_seen: first, last_seen: last, example } = warning
  return (
    <li>
      <div className="row wrap">
        <Badge tone={type === 'event_rejected' ? 'bad' : 'warn'}>{TITLES[type]}</Badge>
        {attr && <span className="mono">{attr.replaceAll('__', '.')}</span>}
        <strong>{detail}</strong>
      </div>
      <p className="soft small">
        {count.toLocaleString('en')} {count === 1 ? 'event' : 'events'}, last <Time at={last} />
        {count > 1 && (
          <>
            , first <Time at={first} />
          </>
        )}
      </p>
      <details>
        <summary>Example</summary>
        <dl className="properties">
          <div>
            <dt>Event</dt>
            <dd className="mono">{example.event ?? <span className="soft">without a name</span>}</dd>
          </div>
          <div>
            <dt>{attr ? attr.replaceAll('__', '.') : 'Sent'}</dt>
            <dd>{example.value}</dd>
          </div>
          <div>
            <dt>Library</dt>
            <dd>{example.library ?? <span className="soft">unknown</span>}</dd>
          </div>
          <div>
            <dt>Properties</dt>
            <dd className="mono">
              {example.property_names.length > 0 ? (
                example.property_names.join(', ')
              ) : (
                <span className="soft">none</span>
              )}
            </dd>
          </div>
        </dl>
      </details>
    </li>
  )
}
