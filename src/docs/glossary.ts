// The words of all areas.
import { accountWords } from '../account/account.words'
import { httpWords } from '../http/http.words'
import { joinWords } from './words'

export const glossary = joinWords([accountWords, httpWords])
