// The dashboards that a flag is shown on.
import { invalid } from '../errors'
import { pythonType } from '../http/validation'

/**
 * The dashboards that a body names, as ids.
 * @param existing those of them that the project has.
 * @throws 400, attr `analytics_dashboards`, for the first that is no id or names no dashboard.
 */
export function checkDashboards(sent: readonly unknown[], existing: readonly { id: number }[]): number[] {
  const known = new Set(existing.map(({ id }) => id))
  return sent.map((member) => {
    const id = typeof member === 'string' && /^\d{1,15}$/.test(member) ? Number(member) : member
    if (typeof id !== 'number' || !Number.isSafeInteger(id)) {
      throw invalid(
        'analytics_dashboards',
        `Incorrect type. Expected pk value, received ${pythonType(member)}.`,
        'incorrect_type',
      )
    }
    if (!known.has(id)) {
      throw invalid('analytics_dashboards', `Invalid pk "${id}" - object does not exist.`, 'does_not_exist')
    }
    return id
  })
}
