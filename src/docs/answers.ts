// What operations answer, by status: what each one means, and the errors that any request may meet.
import type { Operation, ResponseBody } from '../http/operation'
import type { Schemas } from './schemas'

type Json = Record<string, unknown>

const MEANINGS: Record<number, string> = {
  200: 'Done.',
  201: 'Created.',
  302: 'Go there.',
  204: 'Done; no body.',
  400: 'Something in the request is not acceptable; nothing has changed.',
  401: 'No key or token, or one that opens nothing.',
  404: 'There is no such thing in this project.',
  405: 'Not allowed.',
  409: 'Somebody else changed the same thing.',
  413: 'The body is too large.',
  422: 'The history has a gap.',
  500: 'The service failed.',
  502: 'A service that is asked on the way failed.',
  503: 'Storage is busy; the request may be repeated.',
}

const AUTH_ERRORS = {
  401: 'No key and no session, or one that opens nothing.',
  403: 'The caller may not do this.',
}
const BODY_ERRORS = { 413: 'The body is over 1 MiB.', 415: 'The body is not JSON.' }

type Answering = Pick<Operation, 'id' | 'responses' | 'access' | 'body' | 'throttles'>

/**
 * The answers of an operation, by status.
 * @param name of the schema of what success looks like, where it has none.
 */
export function answersOf(operation: Answering, schemas: Schemas, name: string): Record<string, Json> {
  const own = Object.entries(operation.responses).map(([status, response]) => [
    status,
    {
      description: MEANINGS[Number(status)] ?? status,
      ...contentOf(response, schemas, Number(status) < 300 ? name : undefined),
    },
  ])
  return { ...Object.fromEntries(own), ...commonErrors(operation) }
}

const contentOf = (response: ResponseBody, schemas: Schemas, name: string | undefined): Json =>
  response === 'empty'
    ? {}
    : { content: { 'application/json': { schema: schemas.of(response, 'output', name) } } }

/** What may happen to any request of the kind. */
const commonErrors = ({ access, body, responses, throttles }: Answering): Record<string, Json> =>
  Object.fromEntries(
    Object.entries({
      ...(access === 'anybody' ? {} : AUTH_ERRORS),
      ...(body ? BODY_ERRORS : {}),
      ...throttleErrors(throttles),
    })
      .filter(([status]) => !(Number(status) in responses))
      .map(([status, description]) => [
        status,
        { description, content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } } },
      ]),
  )

function throttleErrors(throttles: Answering['throttles']): Record<number, string> {
  if (!throttles) return {}
  const limits = throttles.map(({ calls, seconds }) => `${calls} times within ${spanOf(seconds)}`)
  return { 429: `Called more than ${limits.join(', or ')}.` }
}

const spanOf = (seconds: number) => {
  if (seconds === 60) return 'a minute'
  return seconds === 86_400 ? 'a day' : `${seconds / 60} minutes`
}
