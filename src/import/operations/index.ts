import type { Operation } from '../../http/operation'
import { callSourceOperation } from './import-source'

export const importOperations: readonly Operation[] = [callSourceOperation]
