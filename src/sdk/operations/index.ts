// Every operation that SDKs call. Adding one is a file and a line here.
import type { SdkOperation } from '../operation'
import { capture } from './capture'
import { flags } from './flags'
import { localEvaluation } from './local-evaluation'
import { ofrepBulk } from './ofrep-bulk'
import { ofrepFlag } from './ofrep-flag'
import { remoteConfig } from './remote-config'

export const sdkOperations: readonly SdkOperation[] = [
  capture,
  flags,
  localEvaluation,
  ofrepBulk,
  ofrepFlag,
  remoteConfig,
]
