/** Lets users sign in at banks that answer nothing without their tokens, before the consent itself is asked for. */

import { BankRefusal } from '../../banks/connector/bank-error.ts'
import type { SignInProduct } from '../../banks/connector/connector.ts'
import type {
  AuthorisationAsked,
  AuthorisationState,
  BroughtBack,
  StartedAuthorisation,
} from '../../banks/connector/sca-authorisation.ts'
import type { Bank } from '../../banks/directory/bank.ts'
import type { Context } from '../../context.ts'
import type { Consent } from '../consent.ts'
import { keepConsentTokens } from '../consent-tokens.ts'
import { moveConsent } from '../consent-transition-store.ts'
import { hasBankTokens } from './bank-tokens.ts'

/** Signing in is no authorisation of the bank's, and has no id there. */
const SIGN_IN = 'sign-in'

/** Where the browser goes. */
export async function beginSignIn(
  context: Context,
  bank: Bank,
  { back }: AuthorisationAsked,
): Promise<StartedAuthorisation> {
  const { url, returnSecret } = await signInAt(context, bank).begin(bank, back)
  return { authorisationId: SIGN_IN, way: { type: 'redirect', url }, returnSecret }
}

/** Signed in is who brought tokens; a user who said no has ended the consent by that. */
export async function readSignIn(context: Context, consent: Consent): Promise<AuthorisationState> {
  const state = (await hasBankTokens(context, keyOf(consent)))
    ? 'signed'
    : consent.status === 'REJECTED'
      ? 'refused'
      : 'open'
  return { state, scaStatus: `sign-in ${state}`, text: null, qr: null, unconfirmed: false }
}

/** True when the bank gave tokens, which are kept. */
export async function completeSignIn(
  context: Context,
  bank: Bank,
  consent: Consent,
  brought: BroughtBack,
): Promise<boolean> {
  const worth = await signInAt(context, bank).exchange(bank, brought)
  if (worth === 'denied') {
    const at = context.clock.now()
    await moveConsent(context.database.query, consent, { status: 'REJECTED', statusReason: 'USER', at })
    return false
  }
  return await keepConsentTokens(context, consent, worth)
}

function keyOf({ partnerId, id }: Consent) {
  return { partnerId, subjectId: id }
}

function signInAt({ banks }: Context, bank: Bank): SignInProduct {
  const { oauth } = banks.connectorOf(bank)
  if (oauth === undefined) {
    throw new BankRefusal('unsupported-product', `Nobody can sign in at ${bank.name}`)
  }
  return oauth
}
