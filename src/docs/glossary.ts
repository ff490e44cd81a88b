// The words of all areas.
import { accountWords } from '../account/account.words'
import { analyticsWords } from '../analytics/analytics.words'
import { endpointWords } from '../endpoints/endpoints.words'
import { sdkWords } from '../sdk/sdk.words'
import { joinWords } from './words'

export const glossary = joinWords([accountWords, analyticsWords, endpointWords, sdkWords])
