/** Chooses the SCA approach by what the bank offers and what the user prefers of that. */
import type { PreferredScaMethod } from '../../../contract/shapes.ts'
import type { AuthorisationRequest } from '../connector/sca-authorisation.ts'
import type { Bank, BankProfile, ScaApproach } from './bank.ts'

/** The preferred SCA approach where the bank has it, otherwise the bank's default. */
export function chooseScaApproach(
  { scaApproaches: [usual = 'redirect', ...others] }: Pick<BankProfile, 'scaApproaches'>,
  preferred: AuthorisationRequest['preferred'],
): ScaApproach {
  return others.find((approach) => approach === preferred) ?? usual
}

/** Whether the user signs in an app, which waits for seconds, so the user must be present. */
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
