// Creates, updates and deletes variables. Queries store their own values: they keep running.
import { queryVariables } from '../../../drizzle'
import { userOf } from '../../auth/actor'
import { invalid, notFound } from '../../errors'
import { isUniqueViolation } from '../../storage/database'
import { toStoredTimestamp } from '../../timestamps'
import type { EndpointContext } from '../context'
import { codeNameOf } from './code-name'
import {
  type CreateVariableBody,
  type UpdateVariableBody,
  type VariableRecord,
  variableRecordFrom,
} from './variable-record'
import { variableWithId } from './read-variables'

type Context = Pick<EndpointContext, 'deps' | 'actor' | 'project'>

/** @throws 400 for a duplicate name, or one without letters and digits */
export async function createVariable(
  { deps, actor, project }: Context,
  body: CreateVariableBody,
): Promise<VariableRecord> {
  const codeName = codeNameOf(body.name)
  if (!/[^_]/.test(codeName)) throw invalid('name', 'A name needs at least one letter or digit.')
  const now = deps.clock.now()
  try {
    const [row] = await deps.db
      .insert(queryVariables)
      .values({
        id: deps.ids.uuid(now),
        projectId: project.id,
        name: body.name,
        codeName,
        type: body.type,
        defaultValue: body.default_value ?? null,
        values: body.values ?? null,
        createdById: userOf(actor)?.id ?? null,
        createdAt: toStoredTimestamp(now),
      })
      .returning()
    return variableRecordFrom(row!)
  } catch (error) {
    throw isUniqueViolation(error) ? invalid(null, 'Variable with name already exists') : error
  }
}

/** The code name does not change. @throws 404 */
export async function updateVariable(
  { deps: { db }, project }: Pick<Context, 'deps' | 'project'>,
  id: string,
  body: UpdateVariableBody,
): Promise<VariableRecord> {
  const where = variableWithId(project.id, id)
  const changes = {
    ...(body.name === undefined ? {} : { name: body.name }),
    ...(body.type === undefined ? {} : { type: body.type }),
    ...(body.default_value === undefined ? {} : { defaultValue: body.default_value }),
    ...(body.values === undefined ? {} : { values: body.values }),
  }
  // An UPDATE has to set something.
  const [row] = await db
    .update(queryVariables)
    .set({ projectId: project.id, ...changes })
    .where(where)
    .returning()
  if (!row) throw notFound()
  return variableRecordFrom(row)
}

/** @throws 404. */
export async function deleteVariable(
  { deps: { db }, project }: Pick<Context, 'deps' | 'project'>,
  id: string,
): Promise<void> {
  const deleted = await db
    .delete(queryVariables)
    .where(variableWithId(project.id, id))
    .returning({ id: queryVariables.id })
  if (deleted.length === 0) throw notFound()
}
