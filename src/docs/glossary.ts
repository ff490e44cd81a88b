// The words of all areas.
import { analyticsWords } from '../analytics/analytics.words'
import { flagsWords } from '../flags/flags.words'
import { sdkWords } from '../sdk/sdk.words'
import { joinWords } from './words'

export const glossary = joinWords([analyticsWords, flagsWords, sdkWords])
