// The words of all areas.
import { analyticsWords } from '../analytics/analytics.words'
import { sdkWords } from '../sdk/sdk.words'
import { joinWords } from './words'

export const glossary = joinWords([analyticsWords, sdkWords])
