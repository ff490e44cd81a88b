// How a list of flags is ordered: a field, `-` in front for descending. Only these fields: upstream passes any model field on.
import { asc, desc, type SQL } from 'drizzle-orm'
import { featureFlags } from '../../drizzle'
import { invalid } from '../errors'

const FIELDS = {
  id: featureFlags.id,
  key: featureFlags.key,
  name: featureFlags.name,
  created_at: featureFlags.createdAt,
  updated_at: featureFlags.updatedAt,
  last_called_at: featureFlags.lastCalledAt,
  active: featureFlags.active,
  version: featureFlags.version,
  created_by: featureFlags.createdById,
}

/**
 * The order of a list; newest first when none is asked for. Ties go by id, so that pages never overlap.
 * @throws 400, attr `order`, for a field that cannot be ordered by.
 */
export function orderBy(order: string | undefined): SQL[] {
  if (!order) return [desc(featureFlags.createdAt), desc(featureFlags.id)]
  const descending = order.startsWith('-')
  const field = descending ? order.slice(1) : order
  if (!Object.hasOwn(FIELDS, field)) {
    throw invalid('order', `Cannot order by "${field}". Use one of: ${Object.keys(FIELDS).join(', ')}.`)
  }
  const direction = descending ? desc : asc
  return [direction(FIELDS[field as keyof typeof FIELDS]), direction(featureFlags.id)]
}
