// Defines what the page about webhooks reads and changes.
import { queryOptions } from '@tanstack/react-query'
import { client } from './client'
import { at, inProject, queryClient, itemIn } from './queries'
import type { components } from './schema'

export type Webhook = components['schemas']['Webhook']
export type Delivery = components['schemas']['WebhookDelivery']
export type WebhookTest = components['schemas']['WebhookTest']

export const WEBHOOKS = '/api/projects/{project_id}/webhooks/'

/** Poll interval while deliveries are pending or failing. */
const REFETCH_MS = 3_000

export const webhooksQuery = (projectId: number) =>
  queryOptions({
    ...at(WEBHOOKS, { path: inProject(projectId) }),
    refetchInterval: ({ state }) =>
      state.data?.results.some(({ active, failing_since: since }) => active && since !== null)
        ? REFETCH_MS
        : false,
  })

const DELIVERIES = 20

export const deliveriesQuery = (projectId: number, id: string) =>
  queryOptions({
    ...at(`${WEBHOOKS}{webhook_id}/deliveries/`, {
      path: { ...inProject(projectId), webhook_id: id },
      query: { limit: DELIVERIES },
    }),
    refetchInterval: ({ state }) =>
      state.data?.results.some(({ status }) => status === 'pending') ? REFETCH_MS : false,
  })

/** Removed from the list immediately: a refresh would read its deliveries, which are gone. */
export async function deleteWebhook(projectId: number, id: string): Promise<void> {
  const { queryKey } = webhooksQuery(projectId)
  await client.DELETE(`${WEBHOOKS}{id}/`, { params: itemIn(projectId, id) })
  await queryClient.cancelQueries({ queryKey })
  queryClient.setQueryData(
    queryKey,
    (list) =>
      list && { ...list, count: list.count - 1, results: list.results.filter((each) => each.id !== id) },
  )
  queryClient.removeQueries({ queryKey: deliveriesQuery(projectId, id).queryKey })
}
