// What the reference says of signing in.
import { ada } from '../../http/docs/examples'
import type { Words } from '../../docs/words'

export const signInWords: Words = {
  schemas: {
    LoginCreateBody: {
      is: 'Who signs in.',
      fields: {
        email: 'Address of the user. Capitals do not count.',
        password: 'Password of the user. Write-only.',
      },
      example: { email: ada.email, password: 'correct-horse-battery-staple' },
    },
    LoginTokenCreateBody: {
      is: 'The second factor, after `/api/login/` asked for it in the same browser.',
      fields: {
        token:
          'Six digits from the authenticator app, or a backup code, which is used up by it. Spaces, dashes and capitals do not count. At most 6 wrong ones within 20 minutes. Write-only.',
      },
      example: { token: '123456' },
    },
  },
}
