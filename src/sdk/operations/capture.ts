import * as z from 'zod'
import { capture as captureEvents } from '../../analytics/capture/capture'
import { waitIn, waitUntilStored } from '../../analytics/capture/wait'
import { ErrorBody } from '../../http/error-body'
import { dateTime } from '../../http/fields'
import { CAPTURE_BODY } from '../body'
import { captureForm } from '../capture-request'
import type { SdkOperation } from '../operation'

const properties = z.record(z.string(), z.unknown())
const identifier = () => z.string().min(1).max(200)

const CapturedEvent = z
  .object({
    event: identifier(),
    distinct_id: identifier(),
    properties: properties.optional(),
    timestamp: dateTime().optional(),
    uuid: z.uuid().optional(),
  })
  .meta({ id: 'CapturedEvent' })

const CaptureBody = z
  .object({
    api_key: z.string(),
    batch: z.array(CapturedEvent).max(10_000),
    sent_at: dateTime().optional(),
  })
  .meta({ id: 'CaptureBatch' })

const CaptureResult = z
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
  })
  .meta({ id: 'CaptureResult' })

export const captureOperation: SdkOperation = {
  id: 'capture',
  methods: ['post'],
  paths: ['/batch/', '/capture/', '/e/', '/i/v0/e/'],
  summary: 'Send events',
  description:
    'Takes one event, a list of events or a batch, as JSON, gzip or base64. Events that cannot be used are reported; the others are stored. Also answers on `/capture/`, `/e/` and `/i/v0/e/`. Queries see an event within seconds; with the header `Prefer: wait=5` the answer comes when they do, after five seconds at most, and then has `Preference-Applied`.',
  security: 'projectToken',
  body: CaptureBody,
  responses: {
    200: CaptureResult,
    400: ErrorBody,
    401: ErrorBody,
    413: ErrorBody,
    415: ErrorBody,
    503: ErrorBody,
  },
  async handle({ deps, request, url, readBody, projectOf }) {
    const { token, ...sent } = captureForm(await readBody(CAPTURE_BODY), url.searchParams)
    const project = await projectOf(token)
    const { problems, uuids } = await captureEvents(deps, project, sent)
    const wait = waitIn(request.headers)
    const isStored = wait > 0 && (await waitUntilStored(deps, project, uuids, wait))
    const body = problems.length ? { status: 'Ok', errors: problems } : { status: 'Ok' }
    return isStored ? Response.json(body, { headers: { 'Preference-Applied': `wait=${wait}` } }) : body
  },
}
