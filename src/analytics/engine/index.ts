// Which engine a deployment's queries run on.
import type { Deps } from '../../deps'
import { createD1Engine } from './d1-engine'
import type { QueryEngine } from './query-engine'

/** The engine of this deployment: the embedded database. */
export const engineOf = ({ env, meter }: Pick<Deps, 'env' | 'meter'>): QueryEngine =>
  createD1Engine({ db: env.DB, meter })
