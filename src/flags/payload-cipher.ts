// Encrypted payloads of flags: a key ring, with the errors that clients of remote configurations know (decision 19).
import { ApiError } from '../errors'
import { createKeyring, NoKey } from '../storage/cipher'

export { isEncrypted } from '../storage/cipher'

/** What stands for an encrypted payload where it may not be read; the quotation marks belong to it. */
export const PLACEHOLDER = '"********* (encrypted)"'

export interface PayloadCipher {
  /** @throws 500 with a code of its own when no key is configured. */
  encrypt(plain: string): Promise<string>
  /** @throws 500 `remote_config_decrypt_failed` when the key is gone or the text was tampered with. */
  decrypt(stored: string): Promise<string>
}

const failed = (code: string, detail: string) =>
  new ApiError({ status: 500, type: 'server_error', code, detail })

/** A cipher over PAYLOAD_KEYS. */
export function createPayloadCipher(configured: string | undefined): PayloadCipher {
  const keyring = createKeyring(configured)
  return {
    async encrypt(plain) {
      try {
        return await keyring.encrypt(plain)
      } catch (error) {
        if (!(error instanceof NoKey)) throw error
        throw failed(
          'payload_key_missing',
          'This deployment has no key for encrypted payloads: set PAYLOAD_KEYS.',
        )
      }
    },
    async decrypt(stored) {
      try {
        return await keyring.decrypt(stored)
      } catch {
        throw failed(
          'remote_config_decrypt_failed',
          'Failed to decrypt the remote config payload. Please contact support if the problem persists.',
        )
      }
    },
  }
}
