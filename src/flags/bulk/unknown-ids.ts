// Long lists of ids: the ids of no flag stay with the request, and only the others go to the object of the project.
import type { Database } from '../../storage/database'
import { MAX_LOOKED_UP_IDS, readKeys } from '../keys/key-lookup'
import { type DeletionError, missingErrors } from './plan-delete'
import type { BulkSelection } from './selection'

export interface KnownSelection {
  /** Ids of live flags only, or the selection as it was when it is short. */
  selection: BulkSelection
  /** The errors of the members that were taken out, each built when it is read: a million of them exceed the memory of an isolate. */
  errors: Iterable<DeletionError> | null
}

/** Takes unknown and invalid ids out of a list that is longer than one call of the object takes. One statement, whatever the length. */
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

/** The text of a result whose errors are built one by one; `errors` come before those of the result. */
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
