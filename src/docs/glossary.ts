// The words of all areas.
import { joinWords } from './words'

export const glossary = joinWords([])
