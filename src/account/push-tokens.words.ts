// What the reference says of devices that take push notifications.
import type { Words } from '../docs/words'

const TOKEN =
  'What the push service calls the device, at most 512 characters. Spaces around it do not count. Never shown again. Write-only.'
const DEVICE_TOKEN = 'fcm-token-of-the-device'

export const pushTokensWords: Words = {
  schemas: {
    PushToken: {
      is: 'A device that takes push notifications for a user. There is one for each user and token.',
      fields: {
        id: 'Id of the registration. It stays when the token is registered again.',
        platform: 'What the device runs.',
        created_at: 'When it was first registered. ISO 8601, UTC.',
        last_seen_at: 'When it was last registered. ISO 8601, UTC.',
      },
      example: {
        id: '019d4837-a6e0-732c-99d2-c67eda13ffe7',
        platform: 'ios',
        created_at: '2026-04-01T08:45:00Z',
        last_seen_at: '2026-04-01T08:45:00Z',
      },
    },
    UsersPushTokensCreateBody: {
      is: 'A device to register, or to refresh.',
      fields: { token: TOKEN, platform: 'What the device runs.' },
      example: { token: DEVICE_TOKEN, platform: 'ios' },
    },
    UsersPushTokensUnregisterCreateBody: {
      is: 'A device to forget.',
      fields: { token: TOKEN },
      example: { token: DEVICE_TOKEN },
    },
  },
}
