import * as z from 'zod'
import { type Captured, capture as captureEvents } from '../../analytics/capture/capture'
import type { waitUntilStored as WaitUntilStored } from '../../analytics/ingestion/wait-until-stored'
import { person, project as exampleProject } from '../../http/docs/examples'
import type { OperationDocs, OperationErrors, SchemaDocs } from '../../http/docs/operation-docs'
import { ErrorBody } from '../../http/error-body'
import { dateTime } from '../../http/fields'
import { textResponse } from '../../http/text-response'
import { CAPTURE_BODY, NAMED_COMPRESSIONS } from '../body/read-body'
import { parseCaptureRequest } from '../capture-request'
import { withVisitorIds } from '../cookieless'
import { isCaptureV1, parseCaptureV1, resultsV1 } from '../capture-v1'
import { BODY_ERRORS, type SdkContext, type SdkOperation } from '../operation'
import { bearerOf, inconsistentTokens, tokenErrors, tokenField } from '../project-token'

const properties = z.record(z.string(), z.unknown())
const identifier = () => z.string().min(1).max(200)

export const CapturedEvent = z
  .object({
    event: identifier(),
    distinct_id: identifier(),
    properties: properties.optional(),
    timestamp: dateTime().optional(),
    uuid: z.uuid().optional(),
    people_only: z.boolean().optional(),
    event_only: z.boolean().optional(),
  })
  .meta({ id: 'CapturedEvent' })

const eventExample = () => ({
  event: 'purchase',
  distinct_id: person.distinct_id,
  properties: { plan: 'pro', amount: 30, $set: person.properties },
})

export const CapturedEventDocs = (): SchemaDocs => ({
  description: 'An event. At most 800,000 bytes of JSON.',
  fields: {
    event:
      'Name of the event. `$identify`, `$create_alias`, `$groupidentify` and `$feature_flag_called` have a meaning of their own.',
    distinct_id: 'Distinct id of the person: chosen by the application.',
    properties:
      'Properties of the event. `$set`, `$set_once` and `$unset` change properties of the person; `$groups` maps group types to group keys; with `$process_person_profile: false` the event changes no person. Default none.',
    timestamp:
      'Time of the event: ISO 8601 (UTC without an offset), RFC 2822, or seconds or milliseconds since 1970. Default: now; also for a time that cannot be read or is more than 23 hours ahead.',
    uuid: 'Id of the event. An event whose id is stored already is ignored, so that requests can be retried. Default a new one; also for one that is no UUID.',
    people_only:
      'Whether the event only changes persons and groups, as an import needs: it is not stored, no query counts it, and evaluations at a past time do not know its changes. Default false.',
    event_only:
      'Whether the event is only stored, as an import needs that writes persons and groups themselves: it creates, changes and merges none. Default false.',
  },
  example: eventExample(),
})

export const CaptureBatch = z
  .object({
    api_key: z.string(),
    batch: z.array(CapturedEvent).max(10_000),
    sent_at: dateTime().optional(),
  })
  .meta({ id: 'CaptureBatch' })

export const CaptureBatchDocs = (): SchemaDocs => ({
  description: 'Events of one project. At most 20 MiB after decompression, and 200,000 JSON values.',
  fields: {
    api_key: `${tokenField}; \`token\` is an alias.`,
    batch: 'Events in order of time.',
    sent_at:
      'Current time of the client’s clock (ISO 8601). Timestamps of the events are corrected by its error, in whole minutes. Default: no correction.',
  },
  example: { api_key: exampleProject.api_token, batch: [eventExample()] },
})

export const CaptureResult = z
  .object({
    status: z.literal('Ok'),
    errors: z
      .array(
        z.object({
          index: z.int().min(0),
          detail: z.string(),
          attr: z.string().nullable(),
        }),
      )
      .optional(),
    more_errors: z.int().min(1).optional(),
  })
  .meta({ id: 'CaptureResult' })

export const CaptureResultDocs = (): SchemaDocs => ({
  description: 'Result of a capture request.',
  fields: {
    status: 'Always `Ok`: at least one event is accepted.',
    errors:
      'Rejected events, and parts of events that are ignored or stored otherwise, in order of the events. Absent without any.',
    'errors.index': 'Index of the event in the request, from 0.',
    'errors.detail': 'Reason, in English.',
    'errors.attr': 'Path of the field, joined with `__`. Null for the whole event.',
    more_errors: 'Number of further errors, which `errors` leaves out after 50,000 characters.',
  },
  example: { status: 'Ok' },
})

export const captureOperation: SdkOperation = {
  id: 'capture',
  methods: ['post'],
  paths: ['/batch/', '/capture/', '/e/', '/i/v0/e/', '/i/v0/ai/batch/', '/i/v1/analytics/events/'],
  summary: 'Send events',
  description:
    'Takes one event, a list of events or a batch, as JSON, gzip, base64 or lz-string. Events without a name or a distinct id are reported, and so is what else cannot be read of the others, which are stored. Also answers on `/capture/`, `/e/`, `/i/v0/e/` and `/i/v0/ai/batch/`; `/i/v1/analytics/events/` takes the form of newer SDKs, with the token as bearer, and responds with a result by uuid, or by index for an event without one that has a problem. Queries see an event within seconds; with the header `Prefer: wait=5` the answer comes when they do, after five seconds at most, and then has `Preference-Applied`.',
  security: 'projectToken',
  body: CaptureBatch,
  responses: { 200: CaptureResult, 400: ErrorBody, ...BODY_ERRORS },
  handle: capture,
}

async function capture({
  deps,
  request,
  url,
  readBody,
  projectOf,
  visitorIdsOf,
}: SdkContext): Promise<unknown> {
  const isV1 = isCaptureV1(url.pathname)
  // The token of the newer format is in a header, so that an unknown one is rejected before the body is read.
  const known = isV1 ? await projectOf(bearerOf(request.headers)) : null
  const raw = await readBody(CAPTURE_BODY)
  const { token, ignoredOptions, ...sent } = isV1
    ? { token: null, ...parseCaptureV1(raw, request.headers) }
    : { ignoredOptions: null, ...parseCaptureRequest(raw, url.searchParams) }
  const project = known ?? (await projectOf(token))
  const events = await withVisitorIds(sent.events, visitorIdsOf(project))
  const captured = await captureEvents(deps, project, { ...sent, events })
  const wait = waitIn(request.headers)
  const isStored = wait > 0 && (await isStoredWithin(deps, project, captured, wait))
  const body = ignoredOptions
    ? resultsV1({ events: sent.events, ignoredOptions }, captured)
    : { status: 'Ok', ...errorsOf(captured) }
  if (!isStored) return body
  const headers = { 'Content-Type': 'application/json', 'Preference-Applied': `wait=${wait}` }
  return textResponse(JSON.stringify(body), headers, 200, true)
}

const MAX_WAIT_S = 10

/** Returns the seconds of `Prefer: wait=<seconds>` (RFC 7240 §4.3), up to the maximum, or 0 without it. */
export function waitIn(headers: Headers): number {
  const seconds = /(?:^|[,;\s])wait\s*=\s*"?(\d{1,9})/i.exec(headers.get('Prefer') ?? '')?.[1]
  return Math.min(Number(seconds ?? 0), MAX_WAIT_S)
}

/** Few requests wait, so that the others do not load the engines of queries. */
async function isStoredWithin(...wait: Parameters<typeof WaitUntilStored>): Promise<boolean> {
  const { waitUntilStored } = await import('../../analytics/ingestion/wait-until-stored')
  return waitUntilStored(...wait)
}

/** Maximum characters of `errors`. A longer response could be a 503, after which clients would send the stored events again. */
const MAX_ERRORS_LENGTH = 50_000

function errorsOf({ problems }: Captured): Omit<z.infer<typeof CaptureResult>, 'status'> {
  if (problems.length === 0) return {}
  const errors = []
  let length = 0
  for (const { index, detail, attr } of problems) {
    const error = { index, detail, attr }
    length += JSON.stringify(error).length + 1
    if (length > MAX_ERRORS_LENGTH) return { errors, more_errors: problems.length - errors.length }
    errors.push(error)
  }
  return { errors }
}

/** The 401 responses of both operations. */
const captureTokenErrors = (): OperationErrors => ({
  ...tokenErrors(),
  'Events of several projects': inconsistentTokens(1),
})

export const captureDocs = (): OperationDocs => ({
  errors: { 401: captureTokenErrors() },
  sample: { into: { api_key: '$TOKEN' } },
})

export const capturePixelOperation: SdkOperation = {
  id: 'capture_pixel',
  methods: ['get'],
  paths: ['/e/', '/capture/', '/i/v0/e/'],
  summary: 'Send events in an address',
  description:
    'Takes what `POST` takes, from the query: for images and links where no script runs. Events are stored as those of `POST`.',
  security: 'projectToken',
  query: z.object({
    data: z.string(),
    token: z.string().optional(),
    compression: z.enum(NAMED_COMPRESSIONS).optional(),
  }),
  responses: { 200: CaptureResult, 400: ErrorBody, ...BODY_ERRORS },
  // Link previews and probes send HEAD.
  handle: async (context) => (context.request.method === 'HEAD' ? new Response(null) : capture(context)),
}

export const capturePixelDocs = (): OperationDocs => {
  const data = Buffer.from(JSON.stringify(eventExample())).toString('base64')
  return {
    parameters: {
      data: {
        description:
          'An event, a list of events or a batch: JSON, base64 of JSON or of gzip, or what lz-string makes of JSON.',
        example: data,
      },
      token: {
        description: `${tokenField}, where \`data\` has none; \`api_key\` is an alias.`,
        example: exampleProject.api_token,
      },
      compression: {
        description:
          'Compression of `data`. Gzip and base64 are known without it; `lz64` is that of lz-string, in base64.',
        example: 'base64',
      },
    },
    errors: { 401: captureTokenErrors() },
    sample: { query: { data, token: '$TOKEN' } },
  }
}
