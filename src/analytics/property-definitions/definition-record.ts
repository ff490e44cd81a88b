import { decodeBase64urlIgnorePadding, encodeBase64urlNoPadding } from '@oslojs/encoding'
import * as z from 'zod'
import type { SchemaDocs } from '../../http/docs/operation-docs'
import {
  PROPERTY_TYPES,
  type PropertyDefinition,
  type PropertyName,
  type PropertyOwner,
} from './property-type'

export const PropertyDefinitionRecord = z
  .object({
    id: z.string(),
    name: z.string(),
    property_type: z.enum(PROPERTY_TYPES),
    is_numerical: z.boolean(),
    type: z.enum(['event', 'person', 'group']),
    group_type_index: z.int().nullable(),
  })
  .meta({ id: 'PropertyDefinition' })

export const PropertyDefinitionRecordDocs = (): SchemaDocs => ({
  description: 'A captured property and its type in queries.',
  fields: {
    id: 'Id of the definition, derived from owner and name. Read-only.',
    name: 'Name of the property. Read-only.',
    property_type: 'Type of the values in queries. Learned from the first captured value.',
    is_numerical: 'Whether the type is Numeric. Read-only.',
    type: 'Owner of the property: events, persons or groups. Read-only.',
    group_type_index: 'Index of the group type, from 0 to 4; null unless `type` is `group`. Read-only.',
  },
  example: definitionRecord({ owner: 'event', name: 'amount', type: 'Numeric' }),
})

const OWNER = /^(?:event|person|group_\d)$/

export function definitionRecord({
  owner,
  name,
  type,
}: PropertyDefinition): z.output<typeof PropertyDefinitionRecord> {
  const isOfGroup = owner !== 'event' && owner !== 'person'
  return {
    id: encodeBase64urlNoPadding(new TextEncoder().encode(`${owner}:${name}`)),
    name,
    property_type: type,
    is_numerical: type === 'Numeric',
    type: isOfGroup ? 'group' : owner,
    group_type_index: isOfGroup ? Number(owner.slice('group_'.length)) : null,
  }
}

/** The property of a record's id; null for a malformed id. */
export function parseDefinitionId(id: string): PropertyName | null {
  const text = textIn(id)
  const at = text?.indexOf(':') ?? -1
  if (text === null || at < 0) return null
  const owner = text.slice(0, at)
  return OWNER.test(owner) ? { owner: owner as PropertyOwner, name: text.slice(at + 1) } : null
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
