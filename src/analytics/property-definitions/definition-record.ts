import * as z from 'zod'
import type { propertyDefinitions } from '../../../drizzle'
import type { SchemaDocs } from '../../http/docs/operation-docs'
import { dateTime } from '../../http/fields'
import { toApiTimestampOrNull } from '../../timestamps'
import { PROPERTY_TYPES, type PropertyOwner } from './property-type'

export type DefinitionRow = typeof propertyDefinitions.$inferSelect

const common = {
  id: z.uuid(),
  name: z.string(),
  description: z.string(),
  tags: z.array(z.string()),
  verified: z.boolean(),
  hidden: z.boolean(),
}

/** The id of a definition in examples. */
export const EXAMPLE_DEFINITION_ID = '4f6d2b0a-93c1-4e7d-8a55-1c9e0b7d3f26'

const commonExample = { id: EXAMPLE_DEFINITION_ID, description: '' }

const commonDocs = {
  id: 'Id of the definition. Read-only.',
  description: 'What it is for; may be empty.',
  tags: 'Tags, lower-case, in alphabetical order.',
  verified: 'Whether a user has marked it as verified. A hidden one is not verified.',
  hidden: 'Whether a user has hidden it. It still works.',
}

export const PropertyDefinitionRecord = z
  .object({
    ...common,
    property_type: z.enum(PROPERTY_TYPES),
    is_numerical: z.boolean(),
    type: z.enum(['event', 'person', 'group']),
    group_type_index: z.int().nullable(),
    updated_at: dateTime().nullable(),
  })
  .meta({ id: 'PropertyDefinition' })

export const PropertyDefinitionRecordDocs = (): SchemaDocs => ({
  description: 'A captured property and its type in queries.',
  fields: {
    ...commonDocs,
    name: 'Name of the property. Read-only.',
    property_type: 'Type of the values in queries. Learned from the first captured value.',
    is_numerical: 'Whether the type is Numeric. Read-only.',
    type: 'Owner of the property: events, persons or groups. Read-only.',
    group_type_index: 'Index of the group type, from 0 to 4; null unless `type` is `group`. Read-only.',
    updated_at: 'Time of the last change by a user (ISO 8601, UTC, microseconds); null for none. Read-only.',
  },
  example: { ...commonExample, name: 'amount', property_type: 'Numeric', is_numerical: true, type: 'event' },
})

export const EventDefinitionRecord = z
  .object({
    ...common,
    created_at: dateTime().nullable(),
    last_seen_at: z.null(),
    last_updated_at: dateTime().nullable(),
  })
  .meta({ id: 'EventDefinition' })

export const EventDefinitionRecordDocs = (): SchemaDocs => ({
  description: 'The name of captured events.',
  fields: {
    ...commonDocs,
    name: 'Name of the events. Read-only.',
    created_at:
      'Time when the first was captured (ISO 8601, UTC, microseconds); null if that is unknown. Read-only.',
    last_seen_at: 'Always null: saved queries know it.',
    last_updated_at:
      'Time of the last change by a user (ISO 8601, UTC, microseconds); null for none. Read-only.',
  },
  example: { ...commonExample, name: 'purchase', created_at: '2026-04-02T09:00:00Z' },
})

const commonOf = ({ id, name, description, tags, verified, hidden }: DefinitionRow) => ({
  id: id!,
  name,
  description,
  tags,
  verified,
  hidden,
})

export function propertyRecord(row: DefinitionRow): z.output<typeof PropertyDefinitionRecord> {
  const owner = row.owner as PropertyOwner
  const isOfGroup = owner !== 'event' && owner !== 'person'
  return {
    ...commonOf(row),
    property_type: row.type,
    is_numerical: row.type === 'Numeric',
    type: isOfGroup ? 'group' : owner,
    group_type_index: isOfGroup ? Number(owner.slice('group_'.length)) : null,
    updated_at: toApiTimestampOrNull(row.updatedAt),
  }
}

export const eventRecord = (row: DefinitionRow): z.output<typeof EventDefinitionRecord> => ({
  ...commonOf(row),
  created_at: toApiTimestampOrNull(row.createdAt),
  last_seen_at: null,
  last_updated_at: toApiTimestampOrNull(row.updatedAt),
})
