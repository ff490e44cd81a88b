// The words of all areas.
import { httpWords } from '../http/http.words'
import { joinWords } from './words'

export const glossary = joinWords([httpWords])
