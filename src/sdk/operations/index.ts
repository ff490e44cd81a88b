// Every operation that SDKs call. Adding one is a file and a line here.
import type { SdkOperation } from '../operation'
import { captureOperation } from './capture'
import { evaluateFlagsOperation } from './flags'
import { localEvaluationOperation } from './local-evaluation'
import { ofrepBulkOperation } from './ofrep-bulk'
import { ofrepFlagOperation } from './ofrep-flag'
import { browserConfigOperation } from './remote-config'

export const sdkOperations: readonly SdkOperation[] = [
  captureOperation,
  evaluateFlagsOperation,
  localEvaluationOperation,
  ofrepBulkOperation,
  ofrepFlagOperation,
  browserConfigOperation,
]
