/** Builds the caller of bank requests: user, company and access token. */

import type { Bank } from '../../banks/connector/bank.ts'
import type { BankCaller } from '../../banks/connector/connector.ts'
import type { Context } from '../../context.ts'
import type { PsuSession } from '../../platform/http/operations/served-operation.ts'
import type { Consent } from '../consent.ts'
import { getBankAccessToken, renewRejectedToken } from './renew-bank-tokens.ts'

/** The service of the standard that a call belongs to: accounts and consents (AIS), or orders and baskets (PIS). */
export type BankService = 'AIS' | 'PIS'

/** The bank, consent and user of a request. */
export type BankCallerRequest = {
  readonly bank: Bank
  readonly consent: Consent
  readonly service: BankService
  /** Null when the user is not present. */
  readonly psu: PsuSession | null
  /** A payment that may have tokens from its own SCA. */
  readonly paymentId?: string
  /** The payments that the calls are about, which are logged with them. */
  readonly aboutPayments?: readonly string[]
}

/** Throws a `BankError` of kind `token-invalid` when the user must sign in again. */
export async function bankCallerOf(context: Context, request: BankCallerRequest): Promise<BankCaller> {
  const { bank, consent, psu, aboutPayments = [] } = request
  const { bankConsentId, organisationNumber, partnerId, userId } = consent
  const about = aboutPayments.length === 0 ? {} : { about: { partnerId, paymentIds: aboutPayments } }
  return { bank, userId, organisationNumber, bankConsentId, psu, ...about, ...(await accessTokenOf(context, request)) }
}

type AccessToken = Pick<BankCaller, 'accessToken' | 'renewAccessToken'>

/** The token of the payment's own SCA where there is one; otherwise that of the consent, where it is valid for the call. */
async function accessTokenOf(context: Context, request: BankCallerRequest): Promise<AccessToken> {
  const { bank, consent, paymentId, service } = request
  const { partnerId, id: consentId } = consent
  const subjectIds = [
    ...(paymentId === undefined ? [] : [paymentId]),
    ...(usesConsentTokens(bank, service) ? [consentId] : []),
  ]
  for (const subjectId of bank.profile.oauth === 'none' ? [] : subjectIds) {
    const key = { partnerId, subjectId }
    const accessToken = await getBankAccessToken(context, bank, key, { isReplaceable: subjectId !== consentId })
    if (accessToken !== null) {
      return { accessToken, renewAccessToken: (rejected) => renewRejectedToken(context, bank, key, rejected) }
    }
  }
  return { accessToken: null }
}

/**
 * Where the SCA is the grant, the tokens of a consent are for its accounts only: a bank rejects an order that arrives
 * with one, whatever the user may do.
 */
export function usesConsentTokens({ profile }: Bank, service: BankService): boolean {
  return profile.oauth === 'pre-step' || (profile.oauth === 'integrated' && service === 'AIS')
}
