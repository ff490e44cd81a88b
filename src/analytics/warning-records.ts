// Warnings about rejected events as the API shows them.
import * as z from 'zod'
import type { SchemaDocs } from '../http/docs/operation-docs'
import { dateTime } from '../http/fields'
import { type CaptureWarning, MAX_WARNINGS, WARNING_DAYS, WARNING_TYPES } from './capture/warnings'

export const IngestionWarning = z
  .object({
    type: z.enum(WARNING_TYPES),
    detail: z.string(),
    attr: z.string().nullable(),
    count: z.int().min(1),
    first_seen: dateTime(),
    last_seen: dateTime(),
    example: z.object({
      event: z.string().nullable(),
      value: z.string(),
      library: z.string().nullable(),
      property_names: z.array(z.string()),
    }),
  })
  .meta({ id: 'IngestionWarning' })

const warningExample = (): z.output<typeof IngestionWarning> => ({
  type: 'ignored_invalid_timestamp',
  detail: 'Datetime has wrong format. Use ISO 8601. The event has the time of its arrival.',
  attr: 'timestamp',
  count: 3,
  first_seen: '2026-03-20T08:28:45.440Z',
  last_seen: '2026-03-20T08:30:02.118Z',
  example: {
    event: 'purchase',
    value: '31/12/2026',
    library: 'web 1.2.0',
    property_names: ['amount', 'plan'],
  },
})

export const IngestionWarningDocs = (): SchemaDocs => ({
  description: 'A reason why events were not stored, or not as they were sent.',
  fields: {
    type: '`event_rejected`: the event is not stored. `part_ignored`: the event is stored, and a part of it has no effect, or another form. `ignored_invalid_timestamp`, `event_timestamp_in_future`: the event is stored with the time of its arrival.',
    detail: 'Reason, in English, as in the response of capture. Quoted values are replaced by `…`.',
    attr: 'Path of the field, joined with `__`. Null for the whole event.',
    count: 'Number of events since `first_seen`.',
    first_seen: 'Time of the first event (ISO 8601, UTC).',
    last_seen: 'Time of the last event (ISO 8601, UTC).',
    example: 'The last event. Values are described, not shown, except for times and uuids.',
    'example.event': 'Name of the event; null without one.',
    'example.value': 'What the field has, such as `missing`, `text of 512 characters` or `a list of 3`.',
    'example.library': 'Library that sent it, and its version; null if unknown.',
    'example.property_names': 'Names of the first 20 properties.',
  },
  example: warningExample(),
})

export const IngestionWarningList = z
  .object({ results: z.array(IngestionWarning) })
  .meta({ id: 'IngestionWarningList' })

export const IngestionWarningListDocs = (): SchemaDocs => ({
  description: 'Warnings about rejected events.',
  fields: { results: `At most ${MAX_WARNINGS}, of the last ${WARNING_DAYS} days, those seen last first.` },
  example: {},
})

export const warningRecordFrom = ({
  firstSeen,
  lastSeen,
  example: { propertyNames, ...example },
  ...warning
}: CaptureWarning): z.output<typeof IngestionWarning> => ({
  ...warning,
  first_seen: firstSeen,
  last_seen: lastSeen,
  example: { ...example, property_names: propertyNames },
})
