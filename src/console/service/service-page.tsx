// Shows the operator's page: the version, databases, due work, snapshots, and where the guides are.
import { useQuery } from '@tanstack/react-query'
import { RotateCw, ShieldAlert } from 'lucide-react'
import { PageHeader } from '../design/page-header'
import { Card } from '../design/card'
import { type InstanceStatus, instanceStatusQuery } from '../api/instance-status'
import { Problem } from '../api/problem'
import { Button } from '../design/button'
import { Empty, Notice, PageLoading, PageProblem, ProblemNotice } from '../design/feedback'
import { Badge, type Fact, Facts, Time } from '../design/small'
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
        <Work
          title="Outbox"
          what="Work in other systems that committed changes still have to do."
          facts={[
            ['Tasks', count(data.outbox.tasks)],
            ['To be repeated', count(data.outbox.due)],
            ['Oldest', time(data.outbox.oldest_created_at, 'none')],
            ['Most attempts', data.outbox.most_attempts],
          ]}
        />
        <Work
          title="Materialized rows"
          what="Builds of the rows that saved queries keep ready."
          facts={[
            ['Due', count(data.materializations.due)],
            ['Due since', time(data.materializations.due_since, 'nothing is due')],
            ['Running', count(data.materializations.building)],
            ['Failed', count(data.materializations.failed)],
          ]}
        />
        <Work
          title="Queues"
          what="Messages on their way: captured events, rows to be built, and webhooks with something to deliver."
          facts={data.queues.map(({ name, messages, oldest_at: at }) => [
            QUEUES[name] ?? name,
            <>
              {messages === null ? 'not known here' : count(messages)}
              {at && <> · oldest {time(at)}</>}
            </>,
          ])}
        />
        <Work
          title="Requests"
          what="Those of the isolate that answered this page: a sample."
          facts={[
            ['Since', time(data.requests.since, 'now')],
            ['Requests', count(data.requests.total)],
            ['Errors', `${count(data.requests.errors)} · ${errorRateWords(data.requests)}`],
          ]}
        />
        <Work
          title="Backups"
          what="Every day, where a bucket of R2 is bound."
          facts={backupFacts(data.backup)}
        />
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

const count = (number: number) => number.toLocaleString('en')

const time = (at: string | null, none?: string) => (at ? <Time at={at} /> : none)

const NO_BACKUPS = (
  <>
    none: <a href="/docs/guide/backup#scheduled-backups">how to schedule them</a>
  </>
)

const backupFacts = (backup: InstanceStatus['backup']): readonly Fact[] =>
  backup
    ? [
        ['Last', time(backup.finished_at, 'none yet')],
        [
          'Size',
          backup.rows !== null &&
            backup.bytes !== null &&
            `${count(backup.rows)} rows, ${bytesWords(backup.bytes)} compressed`,
        ],
        ['Running since', time(backup.running_since, 'not running')],
        ['Failed', backup.error],
      ]
    : [['Scheduled', NO_BACKUPS]]

const Work = ({ title, what, facts }: { title: string; what: string; facts: readonly Fact[] }) => (
  <Card title={title} hint={what} isFlush>
    <Facts className="body facts" facts={facts} />
  </Card>
)

const Snapshots = ({ snapshots }: Pick<InstanceStatus, 'snapshots'>) => (
  <Card
    title="Published flags"
    hint="What SDKs read, of the newest projects. A snapshot that is behind is published with the next read."
    isFlush
  >
    {/* The element is focusable, so that a keyboard can scroll it. */}
    <div className="body scrolls" tabIndex={0} role="group" aria-label="Published flags by project">
      <table className="snapshots">
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
