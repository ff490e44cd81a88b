// Defines what the page about webhooks reads and changes.
import { queryOptions } from '@tanstack/react-query'
import { client, read, patch, post } from './client'
import { inProject, queryClient, itemIn } from './queries'
import type { components } from './schema'

export type Webhook = components['schemas']['Webhook']
export type WebhookBody = components['schemas']['WebhookBody']
export type Delivery = components['schemas']['WebhookDelivery']
export type WebhookTest = components['schemas']['WebhookTest']

const webhooksKey = (projectId: number) => ['project', projectId, 'webhooks'] as const

/** Poll interval while deliveries are pending or failing. */
const REFETCH_MS = 3_000

export const webhooksQuery = (projectId: number) =>
  queryOptions({
    queryKey: webhooksKey(projectId),
    queryFn: ({ signal }) =>
      read('/api/projects/{project_id}/webhooks/', { path: inProject(projectId) }, signal),
    refetchInterval: ({ state }) =>
      state.data?.results.some(({ active, failing_since: since }) => active && since !== null)
        ? REFETCH_MS
        : false,
  })

const DELIVERIES = 20

export const deliveriesQuery = (projectId: number, id: string) =>
  queryOptions({
    queryKey: [...webhooksKey(projectId), id, 'deliveries'],
    queryFn: ({ signal }) =>
      read(
        '/api/projects/{project_id}/webhooks/{webhook_id}/deliveries/',
        {
          path: { ...inProject(projectId), webhook_id: id },
          query: { limit: DELIVERIES },
        },
        signal,
      ),
    refetchInterval: ({ state }) =>
      state.data?.results.some(({ status }) => status === 'pending') ? REFETCH_MS : false,
  })

export const refreshWebhooks = (projectId: number): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: webhooksKey(projectId) })

export const createWebhook = (projectId: number, body: WebhookBody): Promise<Webhook> =>
  post('/api/projects/{project_id}/webhooks/', { path: inProject(projectId) }, body)

export const updateWebhook = (projectId: number, id: string, body: Partial<WebhookBody>): Promise<Webhook> =>
  patch('/api/projects/{project_id}/webhooks/{id}/', itemIn(projectId, id), body)

/** Removed from the list immediately: a refresh would read its deliveries, which are gone. */
export async function deleteWebhook(projectId: number, id: string): Promise<void> {
  await client.DELETE('/api/projects/{project_id}/webhooks/{id}/', { params: itemIn(projectId, id) })
  await queryClient.cancelQueries({ queryKey: webhooksKey(projectId) })
  queryClient.setQueryData(
    webhooksQuery(projectId).queryKey,
    (list) =>
      list && { ...list, count: list.count - 1, results: list.results.filter((each) => each.id !== id) },
  )
  queryClient.removeQueries({ queryKey: deliveriesQuery(projectId, id).queryKey })
}

export const rotateSecret = (projectId: number, id: string): Promise<Webhook> =>
  post('/api/projects/{project_id}/webhooks/{id}/rotate_secret/', itemIn(projectId, id))

export const testWebhook = (projectId: number, id: string): Promise<WebhookTest> =>
  post('/api/projects/{project_id}/webhooks/{id}/test/', itemIn(projectId, id))

export const redeliver = (projectId: number, webhookId: string, id: number): Promise<Delivery> =>
  post('/api/projects/{project_id}/webhooks/{webhook_id}/deliveries/{id}/redeliver/', {
    path: { ...inProject(projectId), webhook_id: webhookId, id },
  })
