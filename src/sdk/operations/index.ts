import type { SdkOperation } from '../operation'
import { captureOperation, capturePixelOperation } from './capture'
import { evaluateFlagsOperation } from './flags'
import { localEvaluationOperation } from './local-evaluation'
import { ofrepBulkOperation, ofrepFlagOperation } from './ofrep'
import { browserConfigOperation } from './browser-config'
import { streamOperation } from './stream'

export const sdkOperations: readonly SdkOperation[] = [
  captureOperation,
  capturePixelOperation,
  evaluateFlagsOperation,
  streamOperation,
  localEvaluationOperation,
  ofrepBulkOperation,
  ofrepFlagOperation,
  browserConfigOperation,
]
