// Every operation that SDKs call. Adding one is a file and a line here.
import type { SdkOperation } from '../operation'
import { capture } from './capture'

export const sdkOperations: readonly SdkOperation[] = [capture]
