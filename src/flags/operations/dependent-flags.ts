import * as z from 'zod'
import { notFound } from '../../errors'
import { operation } from '../../http/operation'
import { readDependents } from '../read/linked-objects'
import { FlagPath } from '../schema'
import type { OperationDocs, SchemaDocs } from '../../http/docs/operation-docs'
import { flagParameter } from '../examples'

export const DependentFlag = z
  .object({ id: z.int(), key: z.string(), name: z.string() })
  .meta({ id: 'DependentFlag' })

export const DependentFlagDocs = (): SchemaDocs => ({
  description: 'A flag that depends on another. Read-only.',
  fields: {
    id: 'Id of the flag.',
    key: 'Key of the flag.',
    name: 'Name of the flag; the key if it is blank.',
  },
  example: { id: 3, key: 'new-cart', name: 'New cart' },
})

export const listDependentFlagsOperation = operation({
  id: 'feature_flags_dependent_flags_retrieve',
  method: 'get',
  path: '/api/projects/:project_id/feature_flags/:id/dependent_flags/',
  summary: 'List the active flags that depend on a flag',
  description: 'Direct dependents only, by key.',
  scope: 'feature_flag:read',
  params: FlagPath,
  responses: { 200: z.array(DependentFlag) },
  async handle({ deps, project, params }) {
    const dependents = await readDependents(deps.db, project.id, params.id)
    if (!dependents) throw notFound()
    return dependents.map(({ id, key, name }) => ({ id, key, name: name || key }))
  },
})

export const listDependentFlagsDocs = (): OperationDocs => ({
  parameters: flagParameter(),
})
