import * as z from 'zod'
import { clientOf } from '../../auth/client'
import { invalid, notFound } from '../../errors'
import { project as exampleProject } from '../../http/docs/examples'
import type { OperationDocs } from '../../http/docs/operation-docs'
import { ErrorBody } from '../../http/error-body'
import { idIn, integerIn } from '../../http/fields'
import { maxStreams, tooManyStreams } from '../../snapshots/change-stream-client'
import type { SdkOperation } from '../operation'
import { tokenErrors, tokenField } from '../project-token'

/** A stream ends after this time, and its client connects again with the last generation that it knows. */
export const MAX_STREAM_SECONDS = 300

const PATH = '/flags/stream/'

/** Describes the stream as OFREP announces it. The result is empty where there are no streams. */
export function eventStreams(env: Env, { origin }: URL, token: string) {
  if (maxStreams(env) === 0) return {}
  const url = `${origin}${PATH}?token=${encodeURIComponent(token)}`
  return { eventStreams: [{ type: 'sse', url, inactivityDelaySec: INACTIVITY_S }] }
}

/** A page that is hidden for this long closes its stream. */
const INACTIVITY_S = 120

export const streamOperation: SdkOperation = {
  id: 'flags_stream',
  methods: ['get'],
  paths: [PATH],
  summary: 'Learn of changes as server-sent events',
  description:
    'Each event has the generation of the definitions as its `id`, and `data` with `type` and `generation`: `connected` at first, then ' +
    '`refetchEvaluation` within a second of each change: evaluate again. It has no definitions. The first event is `refetchEvaluation` if ' +
    'something has changed since `Last-Event-ID`, or without one in the last two minutes. A comment comes every 25 seconds, and the stream ends after 5 minutes: connect ' +
    'again, as `EventSource` does.',
  security: 'projectToken',
  query: z.object({ token: z.string(), seconds: z.string().optional() }),
  responses: { 200: z.string(), 400: ErrorBody, 401: ErrorBody, 404: ErrorBody, 503: ErrorBody },
  async handle({ deps, request, url, projectOf }) {
    const project = await projectOf(url.searchParams.get('token'))
    if (maxStreams(deps.env) === 0) throw notFound('This deployment has no streams.')
    const seconds = secondsIn(url)
    const last = request.headers.get('Last-Event-ID')
    const known = last === null ? null : idIn(last)
    const headers = { 'Content-Type': 'text/event-stream; charset=utf-8', 'Cache-Control': 'no-store' }
    // The stream would stay open, and take a place, without a reader.
    if (request.method === 'HEAD') return new Response(null, { headers })
    const { generationStream } = await import('../generation-stream')
    // Without Cloudflare in front, all clients are of one network.
    const network = deps.env.THROTTLES === 'on' ? clientOf(request).network : null
    return new Response(await generationStream(deps, project, network, known, seconds), { headers })
  },
}

/** @throws 400 for anything but a number from 1 to MAX_STREAM_SECONDS. */
function secondsIn({ searchParams }: URL): number {
  const text = searchParams.get('seconds')
  if (text === null) return MAX_STREAM_SECONDS
  const seconds = integerIn(text)
  if (seconds === null || seconds < 1 || seconds > MAX_STREAM_SECONDS)
    throw invalid('seconds', `Must be a whole number from 1 to ${MAX_STREAM_SECONDS}.`)
  return seconds
}

export const streamDocs = (): OperationDocs => ({
  parameters: {
    token: { description: `${tokenField}.`, example: exampleProject.api_token },
    seconds: {
      description: `Seconds after which the stream ends, from 1 to ${MAX_STREAM_SECONDS}. Default ${MAX_STREAM_SECONDS}.`,
      example: '1',
    },
  },
  response: {
    description: 'Events, as they happen.',
    mediaType: 'text/event-stream',
    example: 'id: 3\ndata: {"type":"refetchEvaluation","generation":3}\n\n',
  },
  errors: { 401: tokenErrors(), 503: { 'Too many streams': tooManyStreams() } },
  sample: { query: { token: '$TOKEN', seconds: '1' } },
})
