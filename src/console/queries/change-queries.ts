// Changes of saved queries, shown optimistically and reverted when the service rejects them.
import { changeInLists } from '../api/change-in-lists'
import { client, type Endpoint, patch } from '../api/client'
import { queryClient } from '../api/queries'
import { endpointKey, endpointsKey, onEndpoint } from '../api/saved-queries'
import type { components } from '../api/schema'
import { sayProblem } from '../design/popups/toast'
import { doing, type Undo } from '../edit/doing'

type UpdateEndpoint = components['schemas']['UpdateEndpoint']

/** @returns the query as it is then; with `version`, that version. */
export const updateQuery = (projectId: number, name: string, body: UpdateEndpoint): Promise<Endpoint> =>
  // A deletion, which has another response, is a request of its own.
  patch(
    '/api/projects/{project_id}/endpoints/{name}/',
    onEndpoint(projectId, name),
    body,
  ) as Promise<Endpoint>

export const deleteQuery = (projectId: number, name: string) =>
  client.DELETE('/api/projects/{project_id}/endpoints/{name}/', { params: onEndpoint(projectId, name) })

/** Reads everything about saved queries again that pages show. */
export const refreshQueries = (projectId: number): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: endpointsKey(projectId) })

/** Puts a query, as a response has it, into what pages show. */
export function showQuery(projectId: number, query: Endpoint): void {
  queryClient.setQueryData(endpointKey(projectId, query.name), query)
  showInLists(projectId, query.name, () => query)
}

const showInLists = (projectId: number, name: string, change: (query: Endpoint) => Endpoint): void =>
  changeInLists<Endpoint>([...endpointsKey(projectId), 'list'], (query) => query.name === name, change)

/** Enables or disables a query, with undo. */
export function setActive(
  projectId: number,
  { name, materialization }: Pick<Endpoint, 'name' | 'materialization'>,
  isActive: boolean,
): Promise<boolean> {
  const show = (value: boolean) => {
    showInLists(projectId, name, (each) => ({ ...each, is_active: value }))
    queryClient.setQueryData<Endpoint>(
      endpointKey(projectId, name),
      (each) => each && { ...each, is_active: value },
    )
  }
  const send = async (body: UpdateEndpoint) => showQuery(projectId, await updateQuery(projectId, name, body))
  const turn = (to: boolean): Undo => ({
    item: name,
    check: null,
    show: () => show(to),
    revert: () => show(!to),
    change: () => send({ is_active: to }),
    said: `${name} is ${to ? 'enabled' : 'disabled'}.`,
  })
  const undo = turn(!isActive)
  // Disabling ends the materialization: going back starts it again.
  if (!isActive && materialization.enabled)
    undo.change = () =>
      send({ is_active: true }).then(() => send({ is_materialized: true }).catch(sayProblem))
  return doing({ ...turn(isActive), undo })
}
