// Finds persons with the statements that evaluation batches.
import { type Person, personIn, selectPersonWithIds } from '../../../src/analytics/persons'
import type { Database } from '../../../src/storage/database'

export const personByDistinctId = async (
  db: Database,
  projectId: number,
  distinctId: string,
): Promise<Person | null> => personIn(await selectPersonWithIds(db, projectId, { distinctId }))

export const personByUuid = async (db: Database, projectId: number, uuid: string): Promise<Person | null> =>
  personIn(await selectPersonWithIds(db, projectId, { personId: uuid }))
