import { decodeBase64urlIgnorePadding, encodeBase64urlNoPadding } from '@oslojs/encoding'
import * as z from 'zod'
import type { propertyDefinitions } from '../../../drizzle'
import type { SchemaDocs } from '../../http/docs/operation-docs'
import { dateTime } from '../../http/fields'
import { toApiTimestampOrNull } from '../../timestamps'
import { type DefinitionOwner, PROPERTY_TYPES, type PropertyOwner } from './property-type'

export type DefinitionRow = typeof propertyDefinitions.$inferSelect

const common = {
  id: z.string(),
  name: z.string(),
  description: z.string(),
  tags: z.array(z.string()),
  verified: z.boolean(),
  hidden: z.boolean(),
}

const commonDocs = {
  id: 'Id of the definition, derived from kind and name. Read-only.',
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
  example: propertyRecord(exampleRow('event', 'amount', 'Numeric')),
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
  example: eventRecord(exampleRow('event_name', 'purchase')),
})

function exampleRow(
  owner: DefinitionOwner,
  name: string,
  type: DefinitionRow['type'] = 'String',
): DefinitionRow {
  return {
    projectId: 1,
    owner,
    name,
    type,
    description: '',
    tags: [],
    verified: false,
    hidden: false,
    createdAt: '2026-04-02T09:00:00.000000Z',
    updatedAt: null,
  }
}

const OWNER = /^(?:event|person|group_\d|event_name)$/

/** The id of a record. */
export const definitionId = ({ owner, name }: { owner: DefinitionOwner; name: string }): string =>
  encodeBase64urlNoPadding(new TextEncoder().encode(`${owner}:${name}`))

const commonOf = ({ owner, name, description, tags, verified, hidden }: DefinitionRow) => ({
  id: definitionId({ owner: owner as DefinitionOwner, name }),
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

/** What a record's id names; null for a malformed id. */
export function parseDefinitionId(id: string): { owner: DefinitionOwner; name: string } | null {
  const text = textIn(id)
  const at = text?.indexOf(':') ?? -1
  if (text === null || at < 0) return null
  const owner = text.slice(0, at)
  return OWNER.test(owner) ? { owner: owner as DefinitionOwner, name: text.slice(at + 1) } : null
}

function textIn(base64url: string): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(
      decodeBase64urlIgnorePadding(base64url),
    )
  } catch {
    return null
  }
}
