// All that the reference says of what SDKs call.
import { joinWords } from '../docs/words'
import { captureWords } from './capture.words'
import { sdkEvaluationWords } from './evaluation.words'
import { ofrepWords } from './ofrep/ofrep.words'

export const sdkWords = joinWords([sdkEvaluationWords, captureWords, ofrepWords])
