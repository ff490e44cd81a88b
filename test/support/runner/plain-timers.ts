// The pool replaces `setTimeout` by a function that takes a stack trace with each call, to find the timers without delay that Vitest sets: a
// tenth of the time of tests, since every statement has a deadline. Vitest keeps the pool's function, which it takes before this file runs.
import { setTimeout as plainTimeout } from 'node:timers'

globalThis.setTimeout = plainTimeout as unknown as typeof setTimeout
