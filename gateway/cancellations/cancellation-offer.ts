/** Says whether a payment can be cancelled now, and which of the company's users may do so; for pages that offer it. */
import { consentsOfPayers } from '../approvals/require-payer.ts'
import { requireBank } from '../banks/directory/bank-directory.ts'
import type { Consent } from '../consents/consent.ts'
import type { Context } from '../context.ts'
import { isOutcomeUnknown, type Payment } from '../orders/payment.ts'
import { immediateRejectionReason } from './cancellation.ts'
import { findAcceptedCancellation, findOpenCancellation } from './cancellation-store.ts'

export type CancellationOffer =
  | { readonly kind: 'not-permitted'; readonly reason: string }
  /** One is in progress. */
  | { readonly kind: 'open'; readonly cancellationId: string }
  /** By the user of one of these consents, that of the payment first. */
  | { readonly kind: 'permitted'; readonly consents: readonly Consent[] }

/** The id of the cancellation by which a payment was cancelled. */
export async function findCancellationThatCancelled(context: Context, payment: Payment): Promise<string | undefined> {
  const { partnerId, id: paymentId } = payment
  return (await findAcceptedCancellation(context.database, { partnerId, paymentId }))?.id
}

export async function findCancellationOffer(context: Context, payment: Payment): Promise<CancellationOffer> {
  const { partnerId, id: paymentId } = payment
  const open = await findOpenCancellation(context.database, { partnerId, paymentId })
  if (open !== undefined) {
    return { kind: 'open', cancellationId: open.id }
  }
  if (isOutcomeUnknown(payment)) {
    return { kind: 'not-permitted', reason: 'It is unknown whether the bank accepted the payment' }
  }
  const reason = immediateRejectionReason(await requireBank(context.banks, payment.bic), payment)
  if (reason !== undefined) {
    return { kind: 'not-permitted', reason }
  }
  const consents = await consentsOfPayers(context, payment)
  const isFirst = ({ id }: Consent) => id === payment.consentId
  return consents.length === 0
    ? { kind: 'not-permitted', reason: 'No user who may pay from the account has a consent in force at the bank' }
    : { kind: 'permitted', consents: [...consents.filter(isFirst), ...consents.filter((each) => !isFirst(each))] }
}
