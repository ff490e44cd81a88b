// Operations on people and on what is drawn from their events.
import type { Operation } from '../../http/operation'
import { retrieveCohort } from './cohort-retrieve'
import { retrieveDashboard } from './dashboard-retrieve'

export const analyticsOperations: readonly Operation[] = [retrieveCohort, retrieveDashboard]
