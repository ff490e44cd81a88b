// Dependencies of a flag: every target must exist, be enabled, have the value that is looked for, and not lead back.
// docs/reference/flags.md#dependencies-on-flags.
import { valueJson } from '../../http/value-words'
import { type FlagFilters, propertiesOf, reject } from './flag-filters'

/** A flag that dependencies can lead to. Deleted flags are left out. */
export interface DependencyTarget {
  id: number
  key: string
  active: boolean
  /** Texts to which the flag may evaluate. It is null for a flag that is reached through others only. */
  variants: readonly string[] | null
  dependsOn: number[]
}

/**
 * Walks the dependencies of a flag that is about to be saved, depth first, through the flags as they are stored.
 * @param self the flag; its id is null while it is being created
 * @param targets all flags that can be reached, by id
 * @throws 400, attr `filters`
 */
export function checkDependencies(
  filters: FlagFilters,
  self: { id: number | null; key: string },
  targets: ReadonlyMap<number, DependencyTarget>,
): void {
  const settled = new Set<number>()
  const valuesOf = new Map<DependencyTarget, ReadonlySet<string>>()

  function visit(id: number, path: string[]): void {
    const target = targets.get(id)
    if (!target) return reject(`Flag dependency references non-existent flag with ID ${id}`)
    // The flag was checked before: it leads to no cycle and no disabled flag.
    if (settled.has(id)) return
    // The flag itself has the key that it is about to get.
    const key = id === self.id ? self.key : target.key
    const nextPath = [...path, key]
    if (path.includes(key)) {
      reject(`Circular dependency detected: ${nextPath.slice(path.indexOf(key)).join(' → ')}`)
    }
    if (!target.active) {
      reject(
        `Cannot create dependency on disabled flag '${target.key}' (ID: ${id}). ` +
          'Flag dependencies must reference active flags only.',
      )
    }
    for (const next of target.dependsOn) visit(next, nextPath)
    settled.add(id)
  }

  for (const { property, group, index } of propertiesOf(filters)) {
    if (property.type !== 'flag') continue
    if (!/^\d{1,15}$/.test(property.key)) {
      reject(
        `Flag dependencies must reference flag IDs (integers), not flag keys. Invalid reference: '${property.key}'`,
      )
    }
    const id = Number(property.key)
    if (id === self.id) reject(`Feature flag '${self.key}' cannot depend on itself`)
    visit(id, [self.key])
    const target = targets.get(id)!
    const values = valuesOf.get(target) ?? new Set(target.variants)
    valuesOf.set(target, values)
    checkDependencyValue(property.value, target, values, `groups[${group}].properties[${index}].value`)
  }
}

/** Maximum valid values that an error names. */
const MAX_NAMED = 20

/** Rejects a value that the other flag cannot have, because the condition would never match. */
function checkDependencyValue(
  value: unknown,
  { id, key }: DependencyTarget,
  known: ReadonlySet<string>,
  at: string,
): void {
  if (typeof value === 'boolean') return
  if (typeof value === 'string' && known.has(value)) return
  const named = [true, false, ...known].slice(0, MAX_NAMED).map(valueJson).join(', ')
  const more = known.size + 2 > MAX_NAMED ? `, and ${known.size + 2 - MAX_NAMED} more` : ''
  reject(
    `${at}: Flag '${key}' (ID: ${id}) never evaluates to ${valueJson(value)}. Valid values: ${named}${more}.`,
    'invalid_value',
  )
}
