// Creates, updates and deletes variables. Queries store their own values, so that they keep running.
import { type SQL, sql } from 'drizzle-orm'
import { queryVariables } from '../../../drizzle'
import { diff } from '../../activity/diff'
import type { ActivityVerb, Change } from '../../activity/entry'
import { recordActivity } from '../../activity/record'
import { userOf } from '../../auth/actor'
import { invalid, notFound } from '../../errors'
import { guard, isUniqueViolation } from '../../storage/database'
import { retryOnConflict } from '../../storage/retry-on-conflict'
import { runBatch, runIf } from '../../storage/run-batch'
import { toStoredTimestamp } from '../../timestamps'
import type { EndpointContext } from '../context'
import { checkDefault } from '../values/bind-variables'
import { codeNameOf } from './code-name'
import {
  type CreateVariableBody,
  type UpdateVariableBody,
  type VariableRecord,
  variableRecordFrom,
} from './variable-record'
import { findVariable, variableWithId } from './read-variables'

type Context = Pick<EndpointContext, 'deps' | 'actor' | 'project'>

/** @throws 400 for a duplicate name, one without letters and digits, or a default of another type */
export async function createVariable(
  { deps, actor, project }: Context,
  body: CreateVariableBody,
): Promise<VariableRecord> {
  const codeName = codeNameOf(body.name)
  if (!/[^_]/.test(codeName)) throw invalid('name', 'A name needs at least one letter or digit.')
  checkDefault(body.default_value ?? null, body.type)
  const now = deps.clock.now()
  const id = deps.ids.uuid(now)
  try {
    const insert = deps.db
      .insert(queryVariables)
      .values({
        id,
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
    const [[row]] = await deps.db.batch([
      insert,
      entryOf({ deps, actor, project }, { id, name: body.name }, 'created'),
    ])
    return variableRecordFrom(row!)
  } catch (error) {
    throw isUniqueViolation(error) ? invalid(null, 'Variable with name already exists') : error
  }
}

const FIELDS = ['name', 'type', 'default_value', 'values'] as const

/** Updates a variable. Its code name does not change. @throws 404; 400 for a default of another type */
export function updateVariable(
  context: Context,
  id: string,
  body: UpdateVariableBody,
): Promise<VariableRecord> {
  const { deps, project } = context
  const { db } = deps
  const where = variableWithId(project.id, id)
  return retryOnConflict(async () => {
    const before = await findVariable(context, id)
    const after = { ...before, ...body }
    if (after.type !== before.type || body.default_value !== undefined)
      checkDefault(after.default_value, after.type)
    const changes = diff<VariableRecord>('InsightVariable', FIELDS, before, after)
    if (changes.length === 0) return before
    await runBatch(db, [
      guard(db, isUnchanged(where, before)),
      db
        .update(queryVariables)
        .set({
          name: after.name,
          type: after.type,
          defaultValue: after.default_value,
          values: after.values,
        })
        .where(where),
      entryOf(context, after, 'updated', changes),
    ])
    return after
  })
}

/** @throws 404. */
export async function deleteVariable(context: Context, id: string): Promise<void> {
  const { deps, project } = context
  const where = variableWithId(project.id, id)
  const variable = await findVariable(context, id)
  await runIf(
    deps.db,
    sql`EXISTS (SELECT 1 FROM ${queryVariables} WHERE ${where})`,
    [deps.db.delete(queryVariables).where(where), entryOf(context, variable, 'deleted')],
    notFound,
  )
}

/** Write guard: the variable was not changed since it was read. */
const isUnchanged = (where: SQL, { name, type, default_value: defaultValue, values }: VariableRecord) => {
  const { name: named, type: typed, defaultValue: preset, values: choices } = queryVariables
  return sql`EXISTS (SELECT 1 FROM ${queryVariables} WHERE ${where} AND ${named} = ${name} AND ${typed} = ${type}
    AND ${preset} IS ${sql.param(defaultValue, preset)} AND ${choices} IS ${sql.param(values, choices)})`
}

const entryOf = (
  { deps, actor, project }: Context,
  { id, name }: Pick<VariableRecord, 'id' | 'name'>,
  verb: ActivityVerb,
  changes: Change[] = [],
) =>
  recordActivity(deps, deps.clock.now(), {
    projectId: project.id,
    actor,
    scope: 'InsightVariable',
    itemId: id,
    verb,
    name,
    changes,
  })
