/** Tells how the user would like to sign, and whether that will be in an app: apps wait for seconds, so the user must be here. */
import type { PreferredScaMethod } from '../../contract/shapes.ts'
import type { AuthorisationAsked } from '../banks/connector/sca-authorisation.ts'
import { approachAt, type Bank } from '../banks/directory/bank.ts'

/** By what the bank has, and what the user would like of that. */
export function isSignedInApp({ profile }: Pick<Bank, 'profile'>, preferred: AuthorisationAsked['preferred']): boolean {
  return approachAt(profile, preferred) !== 'redirect'
}

/** Whether the user would like to scan a code, and the bank has one. */
export function isSignedByCode(
  { profile }: Pick<Bank, 'profile'>,
  preferred: AuthorisationAsked['preferred'],
): boolean {
  return preferred === 'qr' && approachAt(profile, preferred) === 'qr'
}

/** The bank's own way where the partner has no wish. */
export function preferredOf(asked: PreferredScaMethod | undefined): AuthorisationAsked['preferred'] {
  return asked === undefined ? null : asked === 'Qr' ? 'qr' : 'redirect'
}
