// Makes the app of an isolate: it handles SDK operations, and passes everything else to Hono.
import { createIds, type Clock, type Ids, systemClock } from './clock'
import { createScopes } from './request-scope'
import { readUnused } from './http/body/body-pieces'
import { consoleLog, type Log } from './http/log/request-log'
import type { createManagement } from './management'
import { sdkOperations } from './sdk/operations'
import { createSdk } from './sdk/router'

export interface AppOptions {
  clock?: Clock
  ids?: Ids
  log?: Log
}

export interface App {
  fetch(request: Request, env: Env, context: ExecutionContext): Promise<Response>
}

const sdk = createSdk(sdkOperations)

let management: Promise<ReturnType<typeof createManagement>> | undefined
/** An isolate that only evaluates flags does not evaluate the code of the management API. */
const loadManagement = () =>
  (management ??= import('./management').then(({ createManagement }) => createManagement(sdk)))

/**
 * Makes the app. It is called once per isolate, because the app has the caches that outlive requests. Routes have no state, and take
 * milliseconds to make.
 */
export function createApp({
  clock = systemClock,
  ids = createIds(),
  log = consoleLog,
}: AppOptions = {}): App {
  const openScope = createScopes({ clock, ids, log })
  return {
    async fetch(request, env, context) {
      const url = new URL(request.url)
      const handle = sdk.find(request.method, url.pathname)
      if (!handle) {
        const open = (each: Request) => openScope(each, new URL(each.url), env, context)
        const response = await (await loadManagement()).fetch(request, { open }, context)
        await readUnused(request)
        return response
      }
      const scope = openScope(request, url, env, context)
      const facts = {}
      const response = await handle({ ...scope, request, params: {}, facts })
      await readUnused(request)
      scope.close(response, facts)
      return response
    },
  }
}
