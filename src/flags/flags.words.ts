// All that the reference says of flags.
import { joinWords } from '../docs/words'
import { bulkWords } from './bulk/bulk.words'
import { filtersWords } from './filters/filters.words'
import { flagOperationsWords } from './operations/operations.words'
import { flagRecordsWords } from './records.words'
import { schemaWords } from './schema.words'
import { testEvaluationWords } from './test-evaluation/test-evaluation.words'

export const flagsWords = joinWords([
  schemaWords,
  filtersWords,
  flagRecordsWords,
  flagOperationsWords,
  testEvaluationWords,
  bulkWords,
])
