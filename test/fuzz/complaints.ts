// What must not be said of any response, whatever was asked.
import type { TestResponse } from '../support/harness'
import { departuresOf, failuresAsError, operationsAt } from './requests/document'
import type { Sent } from './send'
import type { Victim } from './victim'

/** The pool has no DNS: the service says that it did not respond. */
const NO_DNS = 'resolver_unavailable'

/** In words: that something crashed, shows what belongs to somebody else, or is not as the document says. None of a response that is sound. */
export function complaintsAbout(
  { answer: response, method, pathname, said }: Sent,
  victim: Victim,
): string[] {
  const { status, body } = response
  return [
    ...(status >= 500 && body?.code !== NO_DNS ? [`${status}: ${JSON.stringify(body)}`] : []),
    ...victim.leaksIn(shownBy(response), said).map((secret) => `shows ${secret} of another tenant`),
    ...departures(method, pathname, response),
  ]
}

/** A segment may make another path of what was meant: the response is held to the operation that it got to. */
function departures(method: string, pathname: string, response: TestResponse): string[] {
  const here = operationsAt(pathname)
  const operation = here.get(method)
  if (operation) return departuresOf(operation, response)
  const isJson = response.headers.get('Content-Type')?.includes('json')
  if (here.size === 0) return isJson ? failuresAsError(response.body) : []
  if (method === 'OPTIONS' && response.status === 204) return []
  return response.status === 405
    ? failuresAsError(response.body)
    : [`${response.status} for ${method}, which ${pathname} does not take`]
}

const shownBy = ({ body, headers }: TestResponse) =>
  `${typeof body === 'string' ? body : JSON.stringify(body)} ${JSON.stringify([...headers])}`
