/** Reads the address from which banks see our calls. */
import { isIP } from 'node:net'
import { isPublicAddress } from '../platform/http/public-address.ts'

const NAME = 'HAVN_TPP_IP_ADDRESS'
const SANDBOX_ADDRESS = '127.0.0.1'

type Requirements = {
  readonly mode: 'sandbox' | 'production'
  /** Only workers submit orders while the user is away. */
  readonly role: 'gateway' | 'worker'
  readonly errors: string[]
}

/** The address; null where none is given and none is needed. */
export function readTppIpAddress(text: string, { mode, role, errors }: Requirements): string | null {
  if (text === '') {
    if (mode === 'production' && role === 'worker') {
      errors.push(`${NAME} is missing: the public IP address from which banks see calls of this worker`)
    }
    return mode === 'sandbox' ? SANDBOX_ADDRESS : null
  }
  if (isIP(text) === 0) {
    errors.push(`${NAME} must be an IP address, not "${text}"`)
  } else if (mode === 'production' && !isPublicAddress(text)) {
    errors.push(`${NAME} must be a public IP address in production, not "${text}"`)
  }
  return text
}
