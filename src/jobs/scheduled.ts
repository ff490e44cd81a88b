// Runs the program of a cron trigger.
import { consoleLog, type Log } from '../http/log/request-log'
import { DAILY } from './crons'
import { runDaily } from './daily'
import { runEveryMinute } from './every-minute'
import { createJob } from './job'

export const onTrigger = (cron: string, env: Env, log: Log = consoleLog): Promise<void> =>
  (cron === DAILY ? runDaily : runEveryMinute)(createJob(env, log))
