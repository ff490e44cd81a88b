// All that the reference says of people, and of what is drawn from what they do.
import { joinWords } from '../docs/words'
import { dashboardWords } from './dashboards.words'
import { peopleWords } from './people.words'

export const analyticsWords = joinWords([peopleWords, dashboardWords])
