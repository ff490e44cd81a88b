/** The platform takes none after it. An early alarm finds nothing due, and sets the next. */
const LATEST = Date.UTC(2189, 0)

/** @param at epoch milliseconds. */
export const setAlarmAt = (storage: DurableObjectStorage, at: number): Promise<void> =>
  storage.setAlarm(Math.min(at, LATEST))

/** Sets the alarm, unless it is set for an earlier time. @param at epoch milliseconds. */
export async function wakeBy(storage: DurableObjectStorage, at: number): Promise<void> {
  const current = await storage.getAlarm()
  if (current === null || current > at) await setAlarmAt(storage, at)
}
