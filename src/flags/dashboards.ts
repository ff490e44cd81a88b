// The dashboards that a flag is shown on.
import { invalid } from '../errors'
import { noPrimaryKey, noSuchObject } from '../http/primary-key'

/**
 * The dashboards that a body names, as ids.
 * @param existing those of them that the project has.
 * @throws 400, attr `analytics_dashboards`, for the first that is no id or names no dashboard.
 */
export function checkDashboards(sent: readonly unknown[], existing: readonly { id: number }[]): number[] {
  const known = new Set(existing.map(({ id }) => id))
  return sent.map((member) => {
    const id = typeof member === 'string' && /^\d{1,15}$/.test(member) ? Number(member) : member
    if (typeof id !== 'number' || !Number.isSafeInteger(id)) throw refuse(noPrimaryKey(member))
    if (!known.has(id)) throw refuse(noSuchObject(id))
    return id
  })
}

const refuse = ({ detail, code }: ReturnType<typeof noSuchObject>) =>
  invalid('analytics_dashboards', detail, code)
