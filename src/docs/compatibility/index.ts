// All differences.
import { joinDifferences } from './difference'

export const differences = joinDifferences([])
