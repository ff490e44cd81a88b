import type { GroupDocs } from '../../http/docs/operation-docs'
import { aFlag, published } from '../../http/docs/sample-setup'
import type { SdkOperation } from '../operation'
import { captureOperation } from './capture'
import { evaluateFlagsOperation } from './flags'
import { localEvaluationOperation } from './local-evaluation'
import { ofrepBulkOperation, ofrepFlagOperation } from './ofrep'
import { browserConfigOperation } from './remote-config'
import { streamOperation } from './stream'

export const sdkOperations: readonly SdkOperation[] = [
  captureOperation,
  evaluateFlagsOperation,
  streamOperation,
  localEvaluationOperation,
  ofrepBulkOperation,
  ofrepFlagOperation,
  browserConfigOperation,
]

export const sdkOperationsDocs = (): GroupDocs => ({
  samples: [
    [/^\/ofrep\/.*:key/, { before: [aFlag(), published], path: { key: 'sample-$N' }, as: 'token' }],
    [/^\/ofrep\//, { as: 'token' }],
  ],
})
