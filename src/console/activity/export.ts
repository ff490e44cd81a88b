// Converts entries of the activity log to rows of a file. The functions are pure.
import type { ActivityEntry } from '../api/client'

export const EXPORT_COLUMNS = [
  'time',
  'user',
  'email',
  'was_impersonated',
  'activity',
  'kind',
  'item_id',
  'item',
  'trigger',
  'changes',
]

export const exportRow = ({
  created_at: at,
  user,
  was_impersonated: wasImpersonated,
  activity,
  scope,
  item_id: id,
  detail,
}: ActivityEntry) => [
  at,
  user.is_system ? 'Halyard' : user.first_name,
  user.email,
  wasImpersonated,
  activity,
  scope,
  id,
  detail.name,
  detail.trigger,
  detail.changes.map(({ field, before, after }) => ({ field, before, after })),
]
