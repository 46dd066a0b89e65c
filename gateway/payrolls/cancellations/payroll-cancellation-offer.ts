/** Finds whether a payroll can be cancelled now, and which of the company's users may do so; for pages that offer it. */
import { consentsOfPayers } from '../../approvals/require-payer.ts'
import { requireBank } from '../../banks/directory/bank-directory.ts'
import type { Consent } from '../../consents/consent.ts'
import type { Context } from '../../context.ts'
import { isFinalStatus } from '../../orders/payment.ts'
import type { Payroll } from '../../orders/payroll.ts'
import { findOpenPayrollCancellation } from './payroll-cancellation-store.ts'
import { SENT_AS_FILE } from './require-cancellable-payroll.ts'

export type PayrollCancellationOffer =
  | { readonly kind: 'not-permitted'; readonly reason: string }
  /** One is in progress. */
  | { readonly kind: 'open'; readonly cancellationId: string }
  /** By the user of one of these consents, that of the payroll first. */
  | { readonly kind: 'permitted'; readonly consents: readonly Consent[] }

/** What the bank's answers decide is found out by the cancellation itself. */
export async function findPayrollCancellationOffer(
  context: Context,
  payroll: Payroll,
): Promise<PayrollCancellationOffer> {
  const open = await findOpenPayrollCancellation(context.database, {
    partnerId: payroll.partnerId,
    payrollId: payroll.id,
  })
  if (open !== undefined) {
    return { kind: 'open', cancellationId: open.id }
  }
  const reason = await rejectionReason(context, payroll)
  if (reason !== undefined) {
    return { kind: 'not-permitted', reason }
  }
  const consents = await consentsOfPayers(context, payroll)
  const isFirst = ({ id }: Consent) => id === payroll.submissionConsentId
  return consents.length === 0
    ? { kind: 'not-permitted', reason: 'No user who may pay from the account has a consent in force at the bank' }
    : { kind: 'permitted', consents: [...consents.filter(isFirst), ...consents.filter((each) => !isFirst(each))] }
}

async function rejectionReason(
  { banks }: Context,
  { bic, state, status, submissionMode }: Payroll,
): Promise<string | undefined> {
  if (submissionMode === 'file') {
    return SENT_AS_FILE
  }
  if (state === 'submitting') {
    // What is not submitted yet needs no call to the bank.
    return undefined
  }
  if (isFinalStatus(status)) {
    return `The payroll is already ${status}`
  }
  const bank = await requireBank(banks, bic)
  return bank.profile.products.includes('PAYMENT_CANCEL')
    ? undefined
    : `${bank.name} does not permit third parties to cancel payrolls`
}
