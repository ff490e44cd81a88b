// Shows one webhook: its state, what it can be made to do, and its deliveries.
import { useMutation, useQuery } from '@tanstack/react-query'
import { KeyRound, Pause, Pencil, Play, Send, Trash2, RotateCw } from 'lucide-react'
import { useState } from 'react'
import {
  deleteWebhook,
  type Webhook,
  type WebhookTest,
  WEBHOOKS,
  webhooksQuery,
  type Delivery,
  deliveriesQuery,
} from '../api/webhooks'
import { patch, post } from '../api/client'
import { itemIn, refresh, inProject } from '../api/queries'
import { ConfirmChange } from '../edit/confirm-change'
import { Button } from '../design/button'
import { Notice, ProblemNotice } from '../design/feedback'
import { MoreMenu } from '../design/popups/more-menu'
import { Badge, CodeBlock, Time, Facts } from '../design/small'
import { openDialog } from '../design/popups/opened'
import { say, sayProblem } from '../design/popups/toast'
import { summaryOf, wordsOf } from './events'
import { revealSecret, WebhookForm } from './webhook-form'
import { Writers } from '../team/writers'
import { LoadedPart } from '../entity/loaded-part'

interface Props {
  projectId: number
  webhook: Webhook
}

export function WebhookCard({ projectId, webhook }: Props) {
  const [isListOpen, setIsListOpen] = useState(false)
  const { id, url, active } = webhook
  const test = useMutation({ mutationFn: () => post(`${WEBHOOKS}{id}/test/`, itemIn(projectId, id)) })
  const toggle = useMutation({
    mutationFn: () => patch(`${WEBHOOKS}{id}/`, itemIn(projectId, id), { active: !active }),
    async onSuccess(saved) {
      await refresh(webhooksQuery(projectId))
      say(saved.active ? 'The webhook is started.' : 'The webhook is paused.')
    },
    onError: (error) => sayProblem(error),
  })
  return (
    <section className="card" aria-labelledby={id}>
      <header>
        <h2 id={id} className="grow webhook-url">
          {url}
        </h2>
        <State webhook={webhook} />
        <Writers>
          <MoreMenu
            label={`Actions for ${url}`}
            isSmall
            items={[
              {
                label: 'Change…',
                icon: Pencil,
                onSelect: () => openDialog(<WebhookForm projectId={projectId} webhook={webhook} />),
              },
              {
                label: active ? 'Pause' : 'Start',
                icon: active ? Pause : Play,
                onSelect: () => toggle.mutate(),
              },
              {
                label: 'Replace the secret…',
                icon: KeyRound,
                onSelect: () => openDialog(<Rotate projectId={projectId} id={id} />),
              },
              {
                label: 'Delete…',
                icon: Trash2,
                isDanger: true,
                onSelect: () => openDialog(<Delete projectId={projectId} id={id} />),
              },
            ]}
          />
        </Writers>
      </header>
      <div className="body stack">
        {webhook.paused_at && (
          <Notice tone="bad">
            The service paused it <Time at={webhook.paused_at} />: the receiver failed for a day, or is gone.
            Changes since then are not sent.
          </Notice>
        )}
        {active && webhook.failing_since && (
          <Notice tone="warn">
            Deliveries began to fail <Time at={webhook.failing_since} />. The webhook is paused after 20
            hours.
          </Notice>
        )}
        {webhook.description && <p>{webhook.description}</p>}
        <p className="soft small">{summaryOf(webhook.events)}</p>
        <Writers>
          <div>
            <Button isSmall isBusy={test.isPending} onClick={() => test.mutate()}>
              <Send size={13} aria-hidden /> Send a test
            </Button>
          </div>
        </Writers>
        {test.isError && <ProblemNotice error={test.error} />}
        {test.data && !test.isPending && <TestResult result={test.data} />}
        <details onToggle={(event) => setIsListOpen(event.currentTarget.open)}>
          <summary>Deliveries</summary>
          {isListOpen && <DeliveryList projectId={projectId} webhookId={id} isActive={active} />}
        </details>
      </div>
    </section>
  )
}

interface DialogProps {
  projectId: number
  id: string
}

const Rotate = ({ projectId, id }: DialogProps) => (
  <ConfirmChange
    title="Replace the secret?"
    action="Replace"
    isDanger={false}
    change={async () => revealSecret(await post(`${WEBHOOKS}{id}/rotate_secret/`, itemIn(projectId, id)))}
  >
    <p>For 24 hours, messages are signed with both, so that you can change the receiver within that time.</p>
  </ConfirmChange>
)

const Delete = ({ projectId, id }: DialogProps) => (
  <ConfirmChange
    title="Delete the webhook?"
    action="Delete"
    change={async () => {
      await deleteWebhook(projectId, id)
      await refresh(webhooksQuery(projectId))
      say('The webhook is deleted.')
    }}
  >
    <p>Its deliveries are deleted, too. Pending deliveries are dropped.</p>
  </ConfirmChange>
)

function State({ webhook: { active, failing_since: failingSince } }: { webhook: Webhook }) {
  if (!active) return <Badge tone="bad">Paused</Badge>
  return failingSince ? <Badge tone="warn">Failing</Badge> : <Badge tone="good">Active</Badge>
}

function TestResult({ result }: { result: WebhookTest }) {
  const { delivered, duration_ms: duration, response_status: status, response_body: body, error } = result
  return (
    <>
      <Notice tone={delivered ? 'good' : 'bad'}>
        {delivered ? `The receiver responded with ${status} in ${duration} ms.` : error}
      </Notice>
      {body && <CodeBlock label="Response to the test" code={body} />}
    </>
  )
}

interface DeliveryListProps {
  projectId: number
  webhookId: string
  isActive: boolean
}

function DeliveryList({ projectId, webhookId, isActive }: DeliveryListProps) {
  const deliveries = useQuery(deliveriesQuery(projectId, webhookId))
  return (
    <LoadedPart query={deliveries} label="Loading deliveries">
      {({ results, count }) =>
        count === 0 ? (
          <p className="soft">Nothing was sent yet.</p>
        ) : (
          <>
            <ul className="deliveries">
              {results.map((delivery) => (
                <li key={delivery.id}>
                  <DeliveryRow
                    projectId={projectId}
                    webhookId={webhookId}
                    delivery={delivery}
                    isActive={isActive}
                  />
                </li>
              ))}
            </ul>
            {count > results.length && (
              <p className="soft small">
                The newest {results.length} of {count}.
              </p>
            )}
          </>
        )
      }
    </LoadedPart>
  )
}

const STATUSES = {
  delivered: { tone: 'good', label: 'Delivered' },
  pending: { tone: 'warn', label: 'Pending' },
  failed: { tone: 'bad', label: 'Failed' },
} as const

function DeliveryRow({
  projectId,
  webhookId,
  delivery,
  isActive,
}: DeliveryListProps & { delivery: Delivery }) {
  const { tone, label } = STATUSES[delivery.status]
  const again = useMutation({
    mutationFn: () =>
      post(`${WEBHOOKS}{webhook_id}/deliveries/{id}/redeliver/`, {
        path: { ...inProject(projectId), webhook_id: webhookId, id: delivery.id },
      }),
    async onSuccess() {
      await refresh(webhooksQuery(projectId))
      say(`“${wordsOf(delivery.event)}” is sent again.`)
    },
    onError: (error) => sayProblem(error),
  })
  return (
    <details>
      <summary>
        <Badge tone={tone}>{label}</Badge> <span className="grow truncate">{wordsOf(delivery.event)}</span>
        {delivery.response_status !== null && <code>{delivery.response_status}</code>}
        <span className="soft small">
          <Time at={delivery.created_at} />
        </span>
      </summary>
      <Facts
        facts={[
          ['Event', <code>{delivery.event}</code>],
          ['Message', <code>{delivery.message_id}</code>],
          ['Attempts', delivery.attempts],
          [
            'Last attempt',
            delivery.attempted_at && (
              <>
                <Time at={delivery.attempted_at} />
                {delivery.duration_ms !== null && `, ${delivery.duration_ms} ms`}
              </>
            ),
          ],
          ['Next attempt', delivery.next_attempt_at && <Time at={delivery.next_attempt_at} />],
          ['Problem', delivery.error],
        ]}
      />
      {delivery.response_body && <CodeBlock label="Response" code={delivery.response_body} />}
      <Writers>
        <div>
          <Button isSmall disabled={!isActive} isBusy={again.isPending} onClick={() => again.mutate()}>
            <RotateCw size={13} aria-hidden /> Send again
          </Button>
        </div>
      </Writers>
    </details>
  )
}
