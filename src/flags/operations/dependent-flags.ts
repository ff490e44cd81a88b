import * as z from 'zod'
import { notFound } from '../../errors'
import { ErrorBody } from '../../http/error-body'
import { operation } from '../../http/operation'
import { selectDependents } from '../dependencies'
import { selectPresence } from '../rows'
import { FlagPath } from '../schema'

const DependentFlag = z
  .object({ id: z.int(), key: z.string(), name: z.string() })
  .meta({ id: 'DependentFlag' })

export const listDependentFlagsOperation = operation({
  id: 'feature_flags_dependent_flags_retrieve',
  method: 'get',
  path: '/api/projects/:project_id/feature_flags/:id/dependent_flags/',
  summary: 'List the active flags whose conditions look at this one',
  description: 'Direct dependents only, by key.',
  scope: 'feature_flag:read',
  params: FlagPath,
  responses: { 200: z.array(DependentFlag), 404: ErrorBody },
  async handle({ deps, project, params }) {
    const [flags, dependents] = await deps.db.batch([
      selectPresence(deps.db, project.id, params.id),
      selectDependents(deps.db, project.id, params.id),
    ])
    if (flags.length === 0) throw notFound()
    return dependents.map(({ id, key, name }) => ({ id, key, name: name || key }))
  },
})
