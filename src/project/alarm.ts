/** Sets the alarm, unless it is set for an earlier time. @param at epoch milliseconds. */
export async function wakeBy(storage: DurableObjectStorage, at: number): Promise<void> {
  const current = await storage.getAlarm()
  if (current === null || current > at) await storage.setAlarm(at)
}
