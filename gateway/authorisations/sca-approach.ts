/** Chooses the SCA approach: whether the user signs in an app, which waits for seconds, so the user must be present. */
import type { PreferredScaMethod } from '../../contract/shapes.ts'
import type { AuthorisationRequest } from '../banks/connector/sca-authorisation.ts'
import { type Bank, chooseScaApproach } from '../banks/directory/bank.ts'

/** By what the bank offers, and what the user prefers of that. */
export function isDecoupledSca(
  { profile }: Pick<Bank, 'profile'>,
  preferred: AuthorisationRequest['preferred'],
): boolean {
  return chooseScaApproach(profile, preferred) !== 'redirect'
}

/** Whether the user prefers a QR code and the bank offers one. */
export function isQrCodeSca({ profile }: Pick<Bank, 'profile'>, preferred: AuthorisationRequest['preferred']): boolean {
  return preferred === 'qr' && chooseScaApproach(profile, preferred) === 'qr'
}

/** Null leaves the choice to the bank. */
export function preferredApproachOf(requested: PreferredScaMethod | undefined): AuthorisationRequest['preferred'] {
  return requested === undefined ? null : requested === 'Qr' ? 'qr' : 'redirect'
}
