// The context of writing an item.
import type { JsonObject } from '../../json'
import type { Client } from '../client'
import type { Names } from '../posthog/names'
import { mapReferences, type References, UnknownReference } from '../references'

export interface WriteContext {
  client: Client
  /** The project's path, such as `/api/projects/1/`. */
  project: string
  ids: Ids
}

type KeyKind = keyof References | 'dashboard'

/**
 * Creates an item, unless an earlier attempt created it and failed later.
 * @returns its id
 */
export async function createOnce(
  { client, ids }: WriteContext,
  [kind, key]: readonly [KeyKind, string],
  path: string,
  body: JsonObject,
): Promise<number | string> {
  const known = ids.find(kind, key)
  if (known !== undefined) return known
  const { id } = await client.call<{ id: number | string }>('POST', path, body)
  ids.set(kind, key, id)
  return id
}

/** Ids of the target's items, by key. They grow with every item that is written. */
export class Ids {
  private readonly ids: Record<KeyKind, Map<string, number | string>>

  constructor({ cohorts, flags, groupTypes, variables }: Names) {
    const inverse = <Id extends number | string>(names: ReadonlyMap<Id, string>) =>
      new Map<string, number | string>([...names].map(([id, name]) => [name, id]))
    this.ids = {
      cohort: inverse(cohorts),
      flag: inverse(flags),
      variable: inverse(variables),
      groupType: inverse(groupTypes),
      // No item names them.
      dashboard: new Map(),
    }
  }

  set(kind: KeyKind, key: string, id: number | string): void {
    this.ids[kind].set(key, id)
  }

  find(kind: KeyKind, key: string): number | string | undefined {
    return this.ids[kind].get(key)
  }

  /** Returns the value with the target's ids in place of keys. @throws UnknownReference */
  resolve<T extends JsonObject>(value: T): T {
    return mapReferences(value, this.references()) as T
  }

  /** Returns functions that convert keys to ids. @param problem why a key without an id is a problem */
  references(problem = 'which was not written'): References {
    const find = (kind: keyof References) => (key: unknown) => {
      const id = this.ids[kind].get(String(key))
      if (id === undefined) throw new UnknownReference(`needs ${kind} ${String(key)}, ${problem}`)
      return id
    }
    return {
      cohort: find('cohort'),
      groupType: find('groupType'),
      flag: (key) => String(find('flag')(key)),
      variable: (key) => this.ids.variable.get(String(key)) ?? key,
    }
  }
}
