/** Requests a consent from a bank: at once, or after the user's sign-in where the bank requires that. */

import type { Bank } from '../banks/connector/bank.ts'
import { BankError } from '../banks/connector/bank-error.ts'
import { isBankError } from '../banks/connector/bank-error-classification.ts'
import type { Context } from '../context.ts'
import type { PsuSession } from '../platform/http/operations/served-operation.ts'
import { newBankRequestId } from '../platform/ids.ts'
import { bankCallerOf, usesConsentTokens } from './call-bank.ts'
import type { Consent } from './consent.ts'
import { storeBankConsent } from './consent-store.ts'
import { endOfDay, requestedLastDay } from './expiry/consent-validity.ts'

/** The consent as the bank created it, awaiting acceptance. Throws the bank's error. */
export async function requestBankConsent(
  context: Context,
  { bank, consent, psu }: { readonly bank: Bank; readonly consent: Consent; readonly psu: PsuSession | null },
): Promise<Consent> {
  const { consents } = context.banks.connectorOf(bank)
  const caller = await bankCallerOf(context, { bank, consent, service: 'AIS', psu })
  const { bankConsentId, validUntil } = await consents
    .create(caller, { requestId: newBankRequestId(), validUntil: requestedLastDay(context, bank) })
    .catch((error: unknown) => {
      throw requestErrorOf(bank, error)
    })
  return { ...consent, bankConsentId, validUntil: endOfDay(validUntil, bank) }
}

/** A consent that exists at the bank; one whose user has only signed in is requested now, and stored. */
export async function ensureBankConsent(
  context: Context,
  request: { readonly bank: Bank; readonly consent: Consent; readonly psu: PsuSession | null },
): Promise<Consent> {
  if (request.consent.bankConsentId !== null) {
    return request.consent
  }
  const requested = await requestBankConsent(context, request)
  await storeBankConsent(context, requested)
  return requested
}

/** A bank that requires a token, although its profile says that it issues none, is for the operator. */
function requestErrorOf(bank: Bank, error: unknown): unknown {
  return isBankError(error, 'token-invalid') && !usesConsentTokens(bank, 'AIS')
    ? new BankError('misconfigured', error.message, [], error)
    : error
}
