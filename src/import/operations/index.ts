import type { GroupDocs } from '../../http/docs/operation-docs'
import type { Operation } from '../../http/operation'
import { callSourceOperation } from './import-source'

export const importOperations: readonly Operation[] = [callSourceOperation]

export const importOperationsDocs = (): GroupDocs => ({
  tags: [[/^/, { name: 'Projects' }]],
})
