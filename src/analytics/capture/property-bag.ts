import { type JsonObject, type JsonValue, sameJson } from '../../json'
import { jsonBytes } from '../../json-bytes'
import { hasPropertyChanges, type PropertyChanges } from './property-changes'

/** Maximum bytes of the properties of a person or group. A D1 row or parameter takes 2 MB. */
export const MAX_PROPERTIES_BYTES = 500_000

/** The result of a change, with the names of properties whose values differ from before. */
export type Outcome = { kind: 'applied'; changed: readonly string[] } | { kind: 'too large' }

const UNCHANGED: Outcome = { kind: 'applied', changed: [] }

/** New values by name. A value is undefined for a property that is removed. */
type Edits = ReadonlyMap<string, JsonValue | undefined>

/**
 * The properties of a person or group while events are applied. The stored ones are copied and measured once, before the first change.
 * Each change then costs only what it changes, however many other properties there are.
 */
export class PropertyBag {
  readonly #stored: JsonObject | null
  #values: Map<string, JsonValue | undefined> | null = null
  /** Bytes of all members as JSON, each with a comma. */
  #bytes = 0

  /** @param stored null when they were not read: reading or changing them is then an error */
  constructor(stored: JsonObject | null) {
    this.#stored = stored
  }

  /**
   * Applies the changes of an event, unless the properties would grow too large.
   * @param isWorthwhile whether a new value of a property is worth a write. Without one, and without a new property, nothing changes
   */
  change(changes: PropertyChanges, isWorthwhile: (name: string) => boolean = () => true): Outcome {
    if (!hasPropertyChanges(changes)) return UNCHANGED
    const edits = editsOf(this.#draft, changes)
    const names = [...edits.keys()]
    const differs = (name: string) => this.#differs(name, edits.get(name))
    // A value that is not worth a write is not compared alone: the stored one stays, and many events would compare it again.
    if (!names.some((name) => (!this.#draft.has(name) || isWorthwhile(name)) && differs(name)))
      return UNCHANGED
    const changed = names.filter(differs)
    const bytes = changed.reduce(
      (sum, name) => sum - this.#memberBytes(name) + memberBytes(name, edits.get(name)),
      this.#bytes,
    )
    if (isTooLarge(bytes)) return { kind: 'too large' }
    for (const name of changed) setValue(this.#draft, name, edits.get(name))
    this.#bytes = bytes
    return { kind: 'applied', changed }
  }

  /**
   * Adds the properties of `other` that are missing here, unless the properties would grow too large. The smaller of both bags is added to the
   * larger, so that a chain of merges does not copy a large one each time; `other` must not be used afterwards.
   */
  absorb(other: PropertyBag): 'applied' | 'too large' {
    const [mine, theirs] = [this.#draft, other.#draft]
    const isLarger = theirs.size > mine.size
    const [base, added] = isLarger ? [theirs, mine] : [mine, theirs]
    const shared = [...added.keys()].filter((name) => base.has(name))
    const bytes = shared.reduce((sum, name) => sum - other.#memberBytes(name), this.#bytes + other.#bytes)
    if (isTooLarge(bytes)) return 'too large'
    for (const [name, value] of added) if (isLarger || !base.has(name)) base.set(name, value)
    this.#values = base
    this.#bytes = bytes
    return 'applied'
  }

  toJson(): JsonObject {
    return this.#values ? Object.fromEntries(this.#values) : this.#read
  }

  get #read(): JsonObject {
    if (!this.#stored) throw new Error('properties that were not read')
    return this.#stored
  }

  get #draft(): Map<string, JsonValue | undefined> {
    if (this.#values) return this.#values
    this.#values = new Map(Object.entries(this.#read))
    // The comma after the last member makes up for one of the braces.
    this.#bytes = this.#values.size === 0 ? 0 : jsonBytes(this.#read) - 1
    return this.#values
  }

  #differs(name: string, value: JsonValue | undefined): boolean {
    if (!this.#draft.has(name)) return value !== undefined
    return value === undefined || !sameJson(this.#draft.get(name), value)
  }

  #memberBytes(name: string): number {
    return this.#draft.has(name) ? memberBytes(name, this.#draft.get(name)) : 0
  }
}

const isTooLarge = (memberBytesTogether: number) => memberBytesTogether + 1 > MAX_PROPERTIES_BYTES

/** Bytes of a member, including a colon and a comma. */
const memberBytes = (name: string, value: JsonValue | undefined): number =>
  value === undefined ? 0 : jsonBytes(name) + jsonBytes(value) + 2

/** Returns the edits of a change. `set` takes precedence over `setOnce`, and `unset` over both. */
function editsOf(current: ReadonlyMap<string, unknown>, { set, setOnce, unset }: PropertyChanges): Edits {
  const edits = new Map(Object.entries(setOnce).filter(([name]) => !current.has(name)))
  for (const [name, value] of Object.entries(set)) edits.set(name, value)
  for (const name of unset) edits.set(name, undefined)
  return edits
}

function setValue(
  values: Map<string, JsonValue | undefined>,
  name: string,
  value: JsonValue | undefined,
): void {
  if (value === undefined) values.delete(name)
  else values.set(name, value)
}

/** Applies changes in time order: docs/reference/evaluation.md#properties-at-an-earlier-time. */
export function mergeHistory(history: readonly PropertyChanges[]): JsonObject {
  const values = new Map<string, JsonValue | undefined>()
  for (const changes of history) {
    for (const [name, value] of editsOf(values, changes)) setValue(values, name, value)
  }
  return Object.fromEntries(values)
}
