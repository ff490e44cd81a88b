// Shows addresses that receive changes of the project.
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Plus, Webhook as WebhookIcon } from 'lucide-react'
import { PageHeader } from '../design/page-header'
import { webhooksQuery } from '../api/webhooks'
import { Button } from '../design/button'
import { openDialog } from '../design/popups/opened'
import { Empty } from '../design/feedback'
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
  const webhooks = useQuery(webhooksQuery(projectId))
  return (
    <Loaded query={webhooks} noun="webhooks">
      {({ results, count }) => {
        const add = (
          <Writers>
            <Button
              kind="primary"
              disabled={count >= MAX_WEBHOOKS}
              onClick={() => openDialog(<WebhookForm projectId={projectId} webhook={null} />)}
            >
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
              <WebhookCard key={webhook.id} projectId={projectId} webhook={webhook} />
            ))}
          </>
        )
      }}
    </Loaded>
  )
}
