import { cutIdentifier } from '../../evaluation/bucketing'
import type { Subject } from '../../evaluation/context'
import { deviceIdOf } from '../../evaluation/property-maps'

/**
 * Returns a person with the device id, by which percentages of flags with `bucketing_identifier` `device_id` are computed.
 * @param sent by the caller; null means the `$device_id` of the person's properties, if there is one
 */
export function withDeviceId(subject: Subject, sent: string | null): Subject {
  const deviceId = deviceIdOf(sent ?? undefined, subject.personProperties)
  return { ...subject, deviceId: deviceId === null ? null : cutIdentifier(deviceId) }
}
