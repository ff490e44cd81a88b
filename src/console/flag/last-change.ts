import type { Flag } from '../api/client'
import { nameOf } from '../design/small'

/** Says who changed a flag last: the heading above the changes. */
export const changerOf = ({ last_modified_by: by }: Flag): string =>
  `${by ? nameOf(by) : 'Somebody else'} changed`
