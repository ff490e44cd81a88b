// Handles long lists of ids. Ids of no flag stay with the request, and only the others are sent to the project object.
import type { Database } from '../../storage/database'
import { MAX_LOOKED_UP_IDS, readKeys } from '../keys/key-lookup'
import { type DeletionError, missingErrors } from './plan-delete'
import type { BulkSelection } from './selection'

export interface KnownSelection {
  /** The selection with ids of live flags only, or unchanged when it is short. */
  selection: BulkSelection
  /** The errors of the removed members. Each is built when it is read, because a million of them exceed the memory of an isolate. */
  errors: Iterable<DeletionError> | null
}

/**
 * Removes unknown and invalid ids from a list that is longer than one call of the object allows. It takes one statement, whatever the
 * length.
 */
export async function withoutUnknownIds(
  db: Database,
  projectId: number,
  selection: BulkSelection,
): Promise<KnownSelection> {
  if (selection.kind === 'filters' || selection.ids.length + selection.invalid.length <= MAX_LOOKED_UP_IDS)
    return { selection, errors: null }
  const found = new Set((await readKeys(db, projectId, selection.ids)).keys())
  return {
    selection: { kind: 'ids', ids: selection.ids.filter((id) => found.has(id)), invalid: [] },
    errors: missingErrors(selection, found),
  }
}

/** Yields the text of a result whose errors are built one by one. `errors` come before those of the result. */
export function* resultText(
  result: { errors: readonly DeletionError[] },
  errors: Iterable<DeletionError>,
): Generator<string> {
  const { errors: others, ...rest } = result
  yield `${JSON.stringify(rest).slice(0, -1)},"errors":[`
  let separator = ''
  for (const list of [errors, others])
    for (const error of list) {
      yield separator + JSON.stringify(error)
      separator = ','
    }
  yield ']}'
}
