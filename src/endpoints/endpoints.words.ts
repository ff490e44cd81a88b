// All that the reference says of saved queries.
import { joinWords } from '../docs/words'
import { endpointBodyWords } from './bodies.words'
import { materializationWords } from './materialization/materialization.words'
import { endpointOperationWords } from './operations/operations.words'
import { endpointRecordWords } from './records.words'
import { runWords } from './run/run.words'
import { variableWords } from './variables/variables.words'

export const endpointWords = joinWords([
  endpointBodyWords,
  endpointRecordWords,
  endpointOperationWords,
  runWords,
  materializationWords,
  variableWords,
])
