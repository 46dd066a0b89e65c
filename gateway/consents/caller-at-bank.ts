/** Says on whose behalf a bank is asked, with the token that opens what banks with an authorisation server close. */

import type { BankCaller } from '../banks/connector/connector.ts'
import type { Bank } from '../banks/directory/bank.ts'
import type { Context } from '../context.ts'
import type { PsuSession } from '../platform/http/operations/psu-session.ts'
import type { Consent } from './consent.ts'
import { accessTokenOf } from './tokens/bank-tokens.ts'

/** Who asks, and of what. */
export type Asking = {
  readonly bank: Bank
  readonly consent: Consent
  /** Null when the user is not there. */
  readonly psu: PsuSession | null
  /** A payment whose own signing may have opened it; the consent's token is for everything else. */
  readonly paymentId?: string
}

/** Throws a `BankRefusal` of kind `token-invalid` when the bank wants the user to sign in anew. */
export async function callerAtBank(context: Context, { bank, consent, psu, paymentId }: Asking): Promise<BankCaller> {
  const { bankConsentId, organisationNumber, partnerId, userId } = consent
  const subjectIds = [...(paymentId === undefined ? [] : [paymentId]), consent.id]
  const accessToken = bank.profile.oauth === 'none' ? null : await accessTokenOf(context, bank, partnerId, subjectIds)
  return { bank, userId, organisationNumber, bankConsentId, psu, accessToken }
}
