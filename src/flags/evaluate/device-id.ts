import { cutIdentifier } from '../../evaluation/bucketing'
import type { Subject } from '../../evaluation/context'
import { deviceIdOf } from '../../evaluation/property-maps'

/**
 * A person with the device that percentages of flags with `bucketing_identifier` `device_id` apply to.
 * @param sent by the caller; null: the `$device_id` of the person's properties, if there is one.
 */
export function withDeviceId(subject: Subject, sent: string | null): Subject {
  const deviceId = deviceIdOf(sent ?? undefined, subject.personProperties)
  return { ...subject, deviceId: deviceId === null ? null : cutIdentifier(deviceId) }
}
