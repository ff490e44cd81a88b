// Shows the operator's page: the version, databases, due work, snapshots, and where the guides are.
import { useQuery } from '@tanstack/react-query'
import { RotateCw, ShieldAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { PageHeader } from '../design/page-header'
import { Card } from '../design/card'
import { type InstanceStatus, instanceStatusQuery } from '../api/instance-status'
import { Problem } from '../api/problem'
import { Button } from '../design/button'
import { Empty, Notice, PageLoading, PageProblem, ProblemNotice } from '../design/feedback'
import { Badge, Time } from '../design/small'
import '../flag/flag.css'
import { Impersonate } from './impersonate'
import { bytesWords, concernsOf, errorRateWords } from './concerns'
import './service.css'

const QUEUES: Readonly<Record<string, string>> = {
  INGESTION: 'Events',
  BUILDS: 'Builds',
  WEBHOOKS: 'Webhooks',
}

export function ServicePage() {
  const status = useQuery(instanceStatusQuery)
  if (status.isPending) return <PageLoading label="Loading the state of the service" />
  if (!status.data)
    return status.error instanceof Problem && status.error.status === 403 ? (
      <Empty level={1} icon={<ShieldAlert size={28} aria-hidden />} title="For operators only">
        Only staff users see the state of the whole service. {status.error.message}
      </Empty>
    ) : (
      <PageProblem error={status.error} onRetry={() => void status.refetch()} />
    )
  const { data } = status
  const concerns = concernsOf(data)
  return (
    <>
      <PageHeader
        title="Service"
        note={
          <>
            Version {data.version} · read <Time at={new Date(status.dataUpdatedAt).toISOString()} />
          </>
        }
      >
        <Button isBusy={status.isFetching} onClick={() => void status.refetch()}>
          {!status.isFetching && <RotateCw size={14} aria-hidden />} Refresh
        </Button>
      </PageHeader>
      {status.isError && <ProblemNotice error={status.error} onRetry={() => void status.refetch()} />}
      {concerns.length === 0 ? (
        <Notice tone="good">Nothing needs your attention.</Notice>
      ) : (
        concerns.map((concern) => (
          <Notice key={concern} tone="warn">
            {concern}
          </Notice>
        ))
      )}
      <Databases databases={data.databases} />
      <div className="pair">
        <Work title="Outbox" what="Work in other systems that committed changes still have to do.">
          <Fact name="Tasks">{data.outbox.tasks.toLocaleString('en')}</Fact>
          <Fact name="To be repeated">{data.outbox.due.toLocaleString('en')}</Fact>
          <Fact name="Oldest">
            {data.outbox.oldest_created_at ? <Time at={data.outbox.oldest_created_at} /> : 'none'}
          </Fact>
          <Fact name="Most attempts">{data.outbox.most_attempts}</Fact>
        </Work>
        <Work title="Materialized rows" what="Builds of the rows that saved queries keep ready.">
          <Fact name="Due">{data.materializations.due.toLocaleString('en')}</Fact>
          <Fact name="Due since">
            {data.materializations.due_since ? (
              <Time at={data.materializations.due_since} />
            ) : (
              'nothing is due'
            )}
          </Fact>
          <Fact name="Running">{data.materializations.building.toLocaleString('en')}</Fact>
          <Fact name="Failed">{data.materializations.failed.toLocaleString('en')}</Fact>
        </Work>
        <Work
          title="Queues"
          what="Messages on their way: captured events, rows to be built, and webhooks with something to deliver."
        >
          {data.queues.map(({ name, messages, oldest_at: at }) => (
            <Fact key={name} name={QUEUES[name] ?? name}>
              {messages === null ? 'not known here' : messages.toLocaleString('en')}
              {at && (
                <>
                  {' '}
                  · oldest <Time at={at} />
                </>
              )}
            </Fact>
          ))}
        </Work>
        <Work title="Requests" what="Those of the isolate that answered this page: a sample.">
          <Fact name="Since">{data.requests.since ? <Time at={data.requests.since} /> : 'now'}</Fact>
          <Fact name="Requests">{data.requests.total.toLocaleString('en')}</Fact>
          <Fact name="Errors">
            {data.requests.errors.toLocaleString('en')} · {errorRateWords(data.requests)}
          </Fact>
        </Work>
        <Backup backup={data.backup} />
      </div>
      <Snapshots snapshots={data.snapshots} />
      <Impersonate />
      <Guides />
    </>
  )
}

const Databases = ({ databases }: Pick<InstanceStatus, 'databases'>) => (
  <Card title="Databases" hint="A database rejects writes at its limit; flags still evaluate." isFlush>
    <ul className="body stack">
      {databases.map(({ name, plane, bytes, max_bytes: max, warning }) => (
        <li key={name} className="stack database">
          <div className="row spread wrap">
            <span>
              <strong className="mono">{name}</strong>{' '}
              <span className="soft small">
                {plane === 'main' ? 'accounts, flags and people' : 'events and results'}
              </span>
            </span>
            <span>
              {bytes === null ? (
                <Badge tone="bad">No response</Badge>
              ) : (
                `${bytesWords(bytes)} of ${bytesWords(max)}`
              )}
            </span>
          </div>
          {bytes !== null && (
            <meter
              className={warning ? 'fill warn' : 'fill'}
              aria-label={`Share of ${name} that is used`}
              min={0}
              max={max}
              value={bytes}
            />
          )}
        </li>
      ))}
    </ul>
  </Card>
)

const Backup = ({ backup }: Pick<InstanceStatus, 'backup'>) => (
  <Work title="Backups" what="Every day, where a bucket of R2 is bound.">
    {backup === null ? (
      <Fact name="Scheduled">
        none: <a href="/docs/guide/backup#scheduled-backups">how to schedule them</a>
      </Fact>
    ) : (
      <>
        <Fact name="Last">{backup.finished_at ? <Time at={backup.finished_at} /> : 'none yet'}</Fact>
        {backup.rows !== null && backup.bytes !== null && (
          <Fact name="Size">
            {backup.rows.toLocaleString('en')} rows, {bytesWords(backup.bytes)} compressed
          </Fact>
        )}
        <Fact name="Running since">
          {backup.running_since ? <Time at={backup.running_since} /> : 'not running'}
        </Fact>
        {backup.error !== null && <Fact name="Failed">{backup.error}</Fact>}
      </>
    )}
  </Work>
)

const Work = ({ title, what, children }: { title: string; what: string; children: ReactNode }) => (
  <Card title={title} hint={what} isFlush>
    <dl className="body facts">{children}</dl>
  </Card>
)

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </>
)

const Snapshots = ({ snapshots }: Pick<InstanceStatus, 'snapshots'>) => (
  <Card
    title="Published flags"
    hint="What SDKs read, of the newest projects. A snapshot that is behind is published with the next read."
    isFlush
  >
    {/* The element is focusable, so that a keyboard can scroll it. */}
    <div className="body scrolls" tabIndex={0} role="group" aria-label="Published flags by project">
      <table className="plain">
        <thead>
          <tr>
            <th scope="col">Project</th>
            <th scope="col">Generation</th>
            <th scope="col">Published</th>
            <th scope="col">Confirmed</th>
          </tr>
        </thead>
        <tbody>
          {snapshots.map(
            ({
              project_id: id,
              project_name: name,
              generation,
              published_generation: published,
              checked_at: at,
            }) => (
              <tr key={id}>
                <th scope="row">{name}</th>
                <td>{generation}</td>
                <td>
                  {published === null ? (
                    <span className="soft">not yet</span>
                  ) : published < generation ? (
                    <Badge tone="warn">{published}, behind</Badge>
                  ) : (
                    published
                  )}
                </td>
                <td className="soft">{at ? <Time at={at} /> : '–'}</td>
              </tr>
            ),
          )}
        </tbody>
      </table>
    </div>
  </Card>
)

const GUIDES = [
  ['operations', 'Operations', 'What to monitor, what runs by itself, what to do'],
  ['faults', 'Faults', 'What happens when a part fails'],
  ['shards', 'Shards', 'When a database of events fills up'],
  ['retention', 'Retention', 'What is deleted, and when'],
  ['backup', 'Backup', 'Backing up and restoring'],
  ['deploying', 'Deploying', 'Updates, secrets, a locked-out owner'],
] as const

const Guides = () => (
  <Card title="Guides">
    <ul className="stack">
      {GUIDES.map(([name, title, what]) => (
        <li key={name}>
          <a href={`/docs/guide/${name}`}>{title}</a>
          <div className="soft small">{what}</div>
        </li>
      ))}
    </ul>
    <p className="soft small">
      <a href="/docs/guide/">All guides</a>. <a href="/ready">/ready</a> probes each part,{' '}
      <a href="/docs">/docs</a> lists every operation. The log of the deployment has all errors, and /metrics
      this page for Prometheus.
    </p>
  </Card>
)
