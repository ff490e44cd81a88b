// What the reference says of second factors.
import type { Words } from '../../docs/words'

export const twoFactorWords: Words = {
  schemas: {
    UsersTwoFactorStartSetupRetrieveResponse: {
      is: 'A secret that waits to be confirmed.',
      fields: {
        success: 'Always true.',
        secret:
          'The secret in Base32, 32 characters: to type into an authenticator app, or to draw as a QR code.',
      },
      example: { success: true, secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP' },
    },
    UsersTwoFactorValidateCreateBody: {
      is: 'Proof that the authenticator app has the pending secret.',
      fields: {
        token:
          'Six digits from the authenticator app, by SHA-1 every 30 seconds; the code before and the one after count too. At most 6 wrong ones within 20 minutes. Write-only.',
      },
      example: { token: '123456' },
    },
    TwoFactorStatus: {
      is: 'What stands between a user’s password and their account.',
      fields: {
        is_enabled: 'Whether signing in takes a second factor.',
        method: '`TOTP`, codes from an authenticator app. Null without a second factor.',
        has_passkeys: 'Whether there are passkeys. Always false: there are none here.',
        has_totp: 'Whether an authenticator app is set up.',
        passkeys_enabled_for_2fa:
          'Whether passkeys count as second factor. Always false: there are none here.',
        backup_codes_remaining: 'Backup codes that were not used, 0 to 10. 0 without a second factor.',
      },
      example: {
        is_enabled: true,
        method: 'TOTP',
        has_passkeys: false,
        has_totp: true,
        passkeys_enabled_for_2fa: false,
        backup_codes_remaining: 9,
      },
    },
    UsersTwoFactorBackupCodesCreateResponse: {
      is: 'New backup codes. They cannot be read again.',
      fields: {
        backup_codes:
          'Ten codes of eight characters, each good for one sign-in in place of the authenticator app.',
      },
      example: {
        backup_codes: [
          'a2bzk4qe',
          'm7cxy3tf',
          'q5dwl6ug',
          'r3evn2hi',
          'k6fup7js',
          'z4gto5ra',
          'x2hsq3pb',
          'v7jrm4oc',
          't5kql6nd',
          's3lpw2me',
        ],
      },
    },
  },
}
