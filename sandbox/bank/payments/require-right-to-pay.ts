/** Decides whether the user of a call may pay from an account: named by a PSU-ID, or known by a consent. */

import type { BankContext } from '../bank-context.ts'
import { consentById } from '../consents/consent-store.ts'
import { requireKnownUser } from '../known-user.ts'
import { formatProblem, refuse, requireNone } from '../refusal.ts'
import { accountOf, mayPay, maySee } from '../world.ts'
import type { Xs2aCall } from '../xs2a/xs2a-call.ts'

/** Refuses a user who may not pay from the account with this number. */
export async function requireRightToPay(context: BankContext, call: Xs2aCall, debtor: string): Promise<void> {
  const { world } = context
  const { bank, headers } = call
  const userId = headers.psuId ?? (await userOfConsent(context, call))
  if (userId === null) {
    requireNone(bank.psuIdRequired ? [formatProblem('PSU-ID', 'PSU-ID is mandatory at this bank')] : [])
    return
  }
  requireKnownUser(context, bank, userId, headers.psuCorporateId)
  const account = accountOf(world, bank.bic, debtor)
  if (account === undefined || !maySee(world, userId, account)) {
    throw refuse(403, 'RESOURCE_UNKNOWN', 'The user has no such account at this bank', 'debtorAccount')
  }
  if (!mayPay(world, userId, account)) {
    throw refuse(403, 'SERVICE_BLOCKED', 'The user may not pay from this account', 'debtorAccount')
  }
}

async function userOfConsent(context: BankContext, { bank, headers }: Xs2aCall): Promise<string | null> {
  if (headers.consentId === null) {
    return null
  }
  const consent = await consentById(context.database.query, bank.bic, headers.consentId)
  if (consent === undefined) {
    throw refuse(400, 'CONSENT_UNKNOWN', 'The bank knows no such consent', 'Consent-ID')
  }
  if (consent.status !== 'valid') {
    throw refuse(401, consent.status === 'expired' ? 'CONSENT_EXPIRED' : 'CONSENT_INVALID', 'The consent is not valid')
  }
  return consent.signer_id
}
