/** Requires that the user of a call, by its PSU-ID or consent, may pay from the account. */

import { consentById } from '../consents/consent-store.ts'
import type { Context } from '../context.ts'
import { accountOf, mayPay, maySee } from '../fixture-lookup.ts'
import { requireKnownUser } from '../require-known-user.ts'
import type { Xs2aCall } from '../xs2a/xs2a-call.ts'
import { formatErrorMessage, throwIfAnyMessage, xs2aError } from '../xs2a-error.ts'

/** Rejects a user without the right to pay from the account with this number. */
export async function requireRightToPay(context: Context, call: Xs2aCall, debtor: string): Promise<void> {
  const { fixture } = context
  const { bank, headers } = call
  const userId = headers.psuId ?? (await userOfConsent(context, call))
  if (userId === null) {
    throwIfAnyMessage(bank.psuIdRequired ? [formatErrorMessage('PSU-ID', 'PSU-ID is mandatory at this bank')] : [])
    return
  }
  requireKnownUser(context, bank, userId, headers.psuCorporateId)
  const account = accountOf(fixture, bank.bic, debtor)
  if (account === undefined || !maySee(fixture, userId, account)) {
    throw xs2aError(403, 'RESOURCE_UNKNOWN', 'The user has no such account at this bank', 'debtorAccount')
  }
  if (!mayPay(fixture, userId, account)) {
    throw xs2aError(403, 'SERVICE_BLOCKED', 'The user may not pay from this account', 'debtorAccount')
  }
}

async function userOfConsent(context: Context, { bank, headers }: Xs2aCall): Promise<string | null> {
  if (headers.consentId === null) {
    return null
  }
  const consent = await consentById(context.database.query, bank.bic, headers.consentId)
  if (consent === undefined) {
    throw xs2aError(400, 'CONSENT_UNKNOWN', 'The bank knows no such consent', 'Consent-ID')
  }
  if (consent.status !== 'valid') {
    throw xs2aError(
      401,
      consent.status === 'expired' ? 'CONSENT_EXPIRED' : 'CONSENT_INVALID',
      'The consent is not valid',
    )
  }
  return consent.signer_id
}
