import type { Operation } from '../../http/operation'
import { instanceStatusOperation } from './instance-status'

export const operatorOperations: readonly Operation[] = [instanceStatusOperation]
