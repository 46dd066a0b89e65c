/** Signs users in at banks that require their tokens before a consent can be requested. */

import type { Bank } from '../../banks/connector/bank.ts'
import { BankError } from '../../banks/connector/bank-error.ts'
import type { SignInProduct } from '../../banks/connector/connector.ts'
import type {
  AuthorisationCallback,
  AuthorisationRequest,
  AuthorisationState,
  StartedAuthorisation,
} from '../../banks/connector/sca-authorisation.ts'
import type { Context } from '../../context.ts'
import type { Consent } from '../consent.ts'
import { transitionConsent } from '../transition-consent.ts'
import { findTokens } from './bank-token-store.ts'
import { storeConsentTokens } from './consent-tokens.ts'

/** A sign-in is not an authorisation of the bank, and has no id there. */
const SIGN_IN = 'sign-in'

/** The redirect to the bank's sign-in. */
export async function beginSignIn(
  context: Context,
  bank: Bank,
  { back }: AuthorisationRequest,
): Promise<StartedAuthorisation> {
  const { url, returnSecret } = await signInAt(context, bank).begin(bank, back)
  return { authorisationId: SIGN_IN, approach: { type: 'redirect', url }, returnSecret }
}

/** Signed if tokens are stored; a user who denied access has thereby rejected the consent. */
export async function readSignIn(context: Context, consent: Consent): Promise<AuthorisationState> {
  const tokens = await findTokens(context.database, { partnerId: consent.partnerId, subjectId: consent.id })
  const state = tokens ? 'signed' : consent.status === 'REJECTED' ? 'rejected' : 'open'
  return { state, scaStatus: `sign-in ${state}`, text: null, qr: null, unconfirmed: false }
}

/** True when the bank issued tokens, which are stored. */
export async function completeSignIn(
  context: Context,
  bank: Bank,
  consent: Consent,
  callback: AuthorisationCallback,
): Promise<boolean> {
  const tokens = await signInAt(context, bank).exchange(bank, callback)
  if (tokens === 'denied') {
    // Once it has succeeded, the SCA session goes on: a denial in another tab does not end the consent under it.
    if ((await findTokens(context.database, { partnerId: consent.partnerId, subjectId: consent.id })) === undefined) {
      const at = context.clock.now()
      await transitionConsent(context, consent, { status: 'REJECTED', statusReason: 'USER', at })
    }
    return false
  }
  return await storeConsentTokens(context, consent, tokens)
}

function signInAt({ banks }: Context, bank: Bank): SignInProduct {
  const { oauth } = banks.connectorOf(bank)
  if (oauth === undefined) {
    throw new BankError('unsupported-product', `${bank.name} does not support sign-in`)
  }
  return oauth
}
