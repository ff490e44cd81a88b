// Reads the types of properties, as a query does in its first batch.
import type { PropertyName, PropertyTypes } from '../../src/analytics/property-definitions/property-type'
import { propertyTypesFrom, selectDefinitions } from '../../src/analytics/property-definitions/property-types'
import type { Database } from '../../src/storage/database'

export const readPropertyTypes = async (
  db: Database,
  projectId: number,
  names: readonly PropertyName[],
): Promise<PropertyTypes> => propertyTypesFrom(await selectDefinitions(db, projectId, names))
