import * as z from 'zod'
import { capture as captureEvents } from '../../analytics/capture/capture'
import { ErrorBody } from '../../http/error-body'
import { captureForm } from '../capture-request'
import type { SdkOperation } from '../operation'

const properties = z.record(z.string(), z.unknown())

const CapturedEvent = z
  .object({
    event: z.string().describe('Its name, at most 200 characters.'),
    distinct_id: z.string().describe('Who it is about, at most 200 characters.'),
    properties: properties
      .optional()
      .describe('Among them `$set`, `$set_once` and `$unset`, which change properties of the person.'),
    timestamp: z.iso.datetime().optional().describe('When it happened; now unless told.'),
    uuid: z.uuid().optional().describe('An event is stored once: one whose uuid is known changes nothing.'),
  })
  .meta({ id: 'CapturedEvent' })

const CaptureBody = z
  .object({
    api_key: z.string().describe('The public token of the project (`phc_…`); `token` means the same.'),
    batch: z.array(CapturedEvent).describe('At most 10,000 events.'),
    sent_at: z.iso.datetime().optional().describe("Now, by the client's clock; puts its timestamps right."),
  })
  .meta({ id: 'CaptureBatch' })

const CaptureResult = z
  .object({
    status: z.literal('Ok'),
    errors: z
      .array(
        z.object({
          index: z.int().min(0).describe('Place of the event in the request.'),
          detail: z.string(),
          attr: z.string().nullable(),
        }),
      )
      .optional()
      .describe('What could not be done; absent when everything was.'),
  })
  .meta({ id: 'CaptureResult' })

export const capture: SdkOperation = {
  id: 'capture',
  methods: ['post'],
  paths: ['/batch/', '/capture/', '/e/', '/i/v0/e/'],
  summary: 'Send events',
  description:
    'Takes one event, a list of events or a batch, as JSON, gzip or base64. Events that cannot be used are reported; the others are stored. Also answers on `/capture/`, `/e/` and `/i/v0/e/`.',
  security: 'projectToken',
  body: CaptureBody,
  responses: { 200: CaptureResult, 400: ErrorBody, 401: ErrorBody, 413: ErrorBody, 503: ErrorBody },
  async handle({ deps, url, readBody, projectOf }) {
    const { token, ...request } = captureForm(await readBody(), url.searchParams)
    const project = await projectOf(token)
    const errors = await captureEvents(deps, project.id, request)
    return errors.length ? { status: 'Ok', errors } : { status: 'Ok' }
  },
}
