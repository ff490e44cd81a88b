// The time for shrinking, which has no bound by itself. A property that a generated input contradicts is reported with its seed and the
// smallest counterexample found by then. It is also the time of a property on a busy machine, on which it is tried less often.
import { env } from 'cloudflare:workers'
import * as fc from 'fast-check'

const MAX_PROPERTY_MS = 15_000

if (!env.FUZZ_RUNS)
  fc.configureGlobal({ ...fc.readConfigureGlobal(), interruptAfterTimeLimit: MAX_PROPERTY_MS })
