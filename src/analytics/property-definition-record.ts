// A property definition as the API shows it.
import { decodeBase64urlIgnorePadding, encodeBase64urlNoPadding } from '@oslojs/encoding'
import * as z from 'zod'
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

const OWNER = /^(?:event|person|group_\d)$/

/** The record of a definition. */
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

/** The property that an id of a record names; null when it is no such id. */
export function propertyNamed(id: string): PropertyName | null {
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
