// Has the code that compares and applies a file of flags. It loads with the first file.
import { createClient } from '../../import/client'
import { ownTransport } from '../api/import'

export { applyFlags } from '../../import/flag-file/apply'
export {
  DEFAULT_NAME,
  MAX_FILE_BYTES,
  parseFlagFile,
  printFlagFile,
  tagOf,
} from '../../import/flag-file/file'
export { type FlagPlan, planFlags, planReport } from '../../import/flag-file/plan'
export { flagsForFile, readProjectFlags } from '../../import/flag-file/read-flags'
export { projectPath } from '../../import/posthog/source'

/** A client of this service with the session. */
export const ownClient = () =>
  createClient({ url: location.origin, headers: {}, key: '', say: () => {}, send: ownTransport })
