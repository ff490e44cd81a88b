// Shows addresses that receive changes of the project.
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Plus, Webhook as WebhookIcon } from 'lucide-react'
import { useState } from 'react'
import { PageHeader } from '../design/page-header'
import { type Webhook, webhooksQuery } from '../api/webhooks'
import { Button } from '../design/button'
import { Dialog, DoneButton } from '../design/popups/dialog'
import { Empty, Notice } from '../design/feedback'
import { CodeBlock } from '../design/small'
import { Loaded } from '../entity/entity-page'
import { WebhookCard } from './webhook-card'
import { WebhookForm } from './webhook-form'
import './webhooks.css'
import { Writers } from '../team/writers'

const route = getRouteApi('/project/$projectId/settings/webhooks')

/** The most webhooks of a project. */
const MAX_WEBHOOKS = 10

export function WebhooksPage() {
  const { projectId } = route.useParams()
  const [isAdding, setIsAdding] = useState(false)
  const [revealed, setRevealed] = useState<Webhook | null>(null)
  const webhooks = useQuery(webhooksQuery(projectId))
  return (
    <Loaded query={webhooks} noun="webhooks">
      {({ results, count }) => {
        const add = (
          <Writers>
            <Button kind="primary" disabled={count >= MAX_WEBHOOKS} onClick={() => setIsAdding(true)}>
              <Plus size={16} aria-hidden /> Add a webhook
            </Button>
          </Writers>
        )
        return (
          <>
            <PageHeader
              title="Webhooks"
              note={
                <>
                  Each change of the project is posted to these addresses.
                  {count >= MAX_WEBHOOKS &&
                    ` A project has at most ${MAX_WEBHOOKS}: delete one to add another.`}
                </>
              }
            >
              {count > 0 && add}
            </PageHeader>
            {count === 0 && (
              <Empty icon={<WebhookIcon size={28} aria-hidden />} title="No webhooks" action={add}>
                A webhook notifies another service of changes: a chat, a build, an audit log.
              </Empty>
            )}
            {results.map((webhook) => (
              <WebhookCard key={webhook.id} projectId={projectId} webhook={webhook} onSecret={setRevealed} />
            ))}
            {isAdding && (
              <WebhookForm
                projectId={projectId}
                webhook={null}
                onClose={() => setIsAdding(false)}
                onSaved={(webhook) => {
                  setIsAdding(false)
                  setRevealed(webhook)
                }}
              />
            )}
            {revealed?.secret && (
              <Dialog
                title="The secret of the webhook"
                onClose={() => setRevealed(null)}
                footer={<DoneButton onClick={() => setRevealed(null)} />}
              >
                <Notice tone="warn">Copy it now: it is shown once.</Notice>
                <CodeBlock label="Secret" code={revealed.secret} />
                <p className="soft small">
                  The receiver verifies messages with it. They follow Standard Webhooks, for which there are
                  libraries.
                </p>
              </Dialog>
            )}
          </>
        )
      }}
    </Loaded>
  )
}
