/** Builds the caller of bank requests: user, company and access token. */

import type { BankCaller } from '../../banks/connector/connector.ts'
import type { Bank } from '../../banks/directory/bank.ts'
import type { Context } from '../../context.ts'
import type { PsuSession } from '../../platform/http/operations/psu-session.ts'
import type { Consent } from '../consent.ts'
import { getBankAccessToken } from './renew-bank-tokens.ts'

/** The bank, consent and user of a request. */
export type BankCallerRequest = {
  readonly bank: Bank
  readonly consent: Consent
  /** Null when the user is not present. */
  readonly psu: PsuSession | null
  /** A payment that may have tokens from its own SCA; everything else uses the consent's tokens. */
  readonly paymentId?: string
  /** The payments that the calls are about, which are logged with them. */
  readonly aboutPayments?: readonly string[]
}

/** Throws a `BankError` of kind `token-invalid` when the user must sign in again. */
export async function bankCallerOf(
  context: Context,
  { bank, consent, psu, paymentId, aboutPayments = [] }: BankCallerRequest,
): Promise<BankCaller> {
  const { bankConsentId, organisationNumber, partnerId, userId } = consent
  const subjectIds = [...(paymentId === undefined ? [] : [paymentId]), consent.id]
  const accessToken =
    bank.profile.oauth === 'none' ? null : await getBankAccessToken(context, bank, partnerId, subjectIds)
  const about = aboutPayments.length === 0 ? {} : { about: { partnerId, paymentIds: aboutPayments } }
  return { bank, userId, organisationNumber, bankConsentId, psu, accessToken, ...about }
}
