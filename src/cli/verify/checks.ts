// All checks. Those that wait for a trigger come first, so that the others run during the wait.
import type { Check } from './check'
import { accessChecks } from './checks/access'
import { backgroundChecks } from './checks/background'
import { eventChecks } from './checks/events'
import { flagChecks } from './checks/flags'
import { metricChecks } from './checks/metrics'
import { pageChecks } from './checks/pages'
import { queryChecks } from './checks/queries'
import { serviceChecks } from './checks/service'

export const CHECKS: readonly Check[] = [
  ...backgroundChecks,
  ...eventChecks,
  ...serviceChecks,
  ...flagChecks,
  ...queryChecks,
  ...accessChecks,
  ...pageChecks,
  ...metricChecks,
]
