/** Makes sure that a payment may be cancelled by the user of the caller's consent. */
import { requireAccountOnConsent } from '../accounts/require-account.ts'
import { companyOf, requirePaying } from '../companies/require-company.ts'
import type { ConsentCaller } from '../consents/consent.ts'
import { accountFinder } from '../consents/find-account.ts'
import type { Context } from '../context.ts'
import { findPaymentOf } from '../orders/find-payments.ts'
import { isOutcomeUnknown, type Payment } from '../orders/payment.ts'
import { invalid, refuse } from '../platform/http/errors/api-error.ts'

/** The payment. Throws 403 for a company that may not pay, 404, 409 for an unknown outcome, 422, or `ACCESS_DENIED`. */
export async function requireCancellable(context: Context, caller: ConsentCaller, id: string): Promise<Payment> {
  await requirePaying((asked) => companyOf(context, asked), caller.consent)
  const payment = await findPaymentOf(context, caller.partnerId, id)
  requireOfConsent(caller, payment)
  const { debtorBban: bban, ordered } = payment
  await requireAccountOnConsent(accountFinder(context), caller, { bban, currency: ordered.from.currency })
  if (isOutcomeUnknown(payment)) {
    throw refuse(
      'conflict',
      'Whether the bank took this payment is not known, so it cannot be cancelled; follow the payment named here',
      { paymentId: payment.id },
    )
  }
  return payment
}

function requireOfConsent({ consent }: ConsentCaller, { bic, organisationNumber }: Payment): void {
  if (bic !== consent.bic) {
    throw invalid('.paymentId', `is a payment at ${bic}, the consent is at ${consent.bic}`)
  }
  if (organisationNumber !== consent.organisationNumber) {
    throw invalid('.paymentId', 'is a payment of another company than that of the consent')
  }
}
