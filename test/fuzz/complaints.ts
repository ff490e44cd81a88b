// What must not be said of any answer, whatever was asked.
import type { Answer } from '../support/harness'
import { departuresOf, failuresAsError, operationsAt } from './document'
import type { Sent } from './send'
import type { Victim } from './victim'

/** In words: that something crashed, shows what belongs to somebody else, or is not as the document says. None of an answer that is sound. */
export function complaintsAbout({ answer, method, pathname, said }: Sent, victim: Victim): string[] {
  const { status, body } = answer
  return [
    ...(status >= 500 ? [`${status}: ${JSON.stringify(body)}`] : []),
    ...victim.leaksIn(shownBy(answer), said).map((secret) => `shows ${secret} of another tenant`),
    ...departures(method, pathname, answer),
  ]
}

/** A segment may make another path of what was meant: the answer is held to the operation that it got to. */
function departures(method: string, pathname: string, answer: Answer): string[] {
  const here = operationsAt(pathname)
  const operation = here.get(method)
  if (operation) return departuresOf(operation, answer)
  const isJson = answer.headers.get('Content-Type')?.includes('json')
  if (here.size === 0) return isJson ? failuresAsError(answer.body) : []
  if (method === 'OPTIONS' && answer.status === 204) return []
  return answer.status === 405
    ? failuresAsError(answer.body)
    : [`${answer.status} for ${method}, which ${pathname} does not take`]
}

const shownBy = ({ body, headers }: Answer) =>
  `${typeof body === 'string' ? body : JSON.stringify(body)} ${JSON.stringify([...headers])}`
