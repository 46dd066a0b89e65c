/** Checks that the user of the caller's consent may cancel a payment. */

import { requireAccountOnConsent } from '../accounts/require-consent-account.ts'
import { requirePayer } from '../approvals/require-payer.ts'
import { findRequestedCompany, requirePaymentsAllowed } from '../companies/require-company.ts'
import { accountFinder } from '../consents/accounts/find-account.ts'
import type { ConsentActor } from '../consents/consent.ts'
import type { Context } from '../context.ts'
import { parseDebtorAccountNumber } from '../countries/account-number.ts'
import { findPaymentOf } from '../orders/find-payments.ts'
import { isOutcomeUnknown, type Payment } from '../orders/payment.ts'
import { apiError, invalidRequest } from '../platform/http/errors/api-error.ts'

/** Returns the payment. Throws 403 for a company that may not pay, 404, 409 for an unknown outcome, 422, or `ACCESS_DENIED`. */
export async function requireCancellationAccess(context: Context, caller: ConsentActor, id: string): Promise<Payment> {
  await requirePaymentsAllowed((company) => findRequestedCompany(context, company), caller.consent)
  const payment = await findPaymentOf(context, caller.partnerId, id)
  requireOfConsent(caller, payment)
  const { debtorBban: bban, ordered } = payment
  const number = parseDebtorAccountNumber(caller.consent.countryCode, bban)
  await requireAccountOnConsent(accountFinder(context), caller, { ...number, currency: ordered.from.currency })
  await requirePayer(context, caller.consent, [{ debtorBban: bban, consentIds: [payment.consentId] }])
  if (isOutcomeUnknown(payment)) {
    throw apiError(
      'conflict',
      'It is unknown whether the bank accepted this payment, so it cannot be cancelled. Follow the payment with this paymentId',
      { paymentId: payment.id },
    )
  }
  return payment
}

function requireOfConsent({ consent }: ConsentActor, { bic, organisationNumber }: Payment): void {
  if (bic !== consent.bic) {
    throw invalidRequest('.paymentId', `is a payment at ${bic}, but the consent is at ${consent.bic}`)
  }
  if (organisationNumber !== consent.organisationNumber) {
    throw invalidRequest('.paymentId', 'belongs to another company than the consent')
  }
}
