// Shows deliveries of a webhook, newest first, with the responses of the receiver.
import { useMutation, useQuery } from '@tanstack/react-query'
import { RotateCw } from 'lucide-react'
import { post } from '../api/client'
import { inProject, refresh } from '../api/queries'
import { type Delivery, deliveriesQuery, WEBHOOKS, webhooksQuery } from '../api/webhooks'
import { Button } from '../design/button'
import { LoadedPart } from '../entity/loaded-part'
import { Badge, CodeBlock, Facts, Time } from '../design/small'
import { say, sayProblem } from '../design/popups/toast'
import { Writers } from '../team/writers'

interface Props {
  projectId: number
  webhookId: string
  isActive: boolean
}

export function DeliveryList({ projectId, webhookId, isActive }: Props) {
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

function DeliveryRow({ projectId, webhookId, delivery, isActive }: Props & { delivery: Delivery }) {
  const { tone, label } = STATUSES[delivery.status]
  const again = useMutation({
    mutationFn: () =>
      post(`${WEBHOOKS}{webhook_id}/deliveries/{id}/redeliver/`, {
        path: { ...inProject(projectId), webhook_id: webhookId, id: delivery.id },
      }),
    async onSuccess() {
      await refresh(webhooksQuery(projectId))
      say(`${delivery.event} is sent again.`)
    },
    onError: (error) => sayProblem(error),
  })
  return (
    <details>
      <summary>
        <Badge tone={tone}>{label}</Badge> <span className="grow truncate">{delivery.event}</span>
        {delivery.response_status !== null && <code>{delivery.response_status}</code>}
        <span className="soft small">
          <Time at={delivery.created_at} />
        </span>
      </summary>
      <Facts
        facts={[
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
