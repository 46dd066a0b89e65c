/** Finds duplicates among payments with exchange by their requests, as each funding order has its own rate. */

import type { CrossBorderPayment } from '../../../contract/payments/cross-border-payment.ts'
import type { PaymentWarning } from '../../../contract/payments/payment-operations.ts'
import type { Context } from '../../context.ts'
import { plainCode } from '../../platform/copied-text.ts'
import { apiError } from '../../platform/http/errors/api-error.ts'
import { isOutcomeUnknown, type Payment } from '../payment.ts'
import { listSimilarExchanges } from '../store/exchange-store.ts'

const DUPLICATE_WITHIN = { hours: 24 }

/** Returns a warning of a possible duplicate. Throws `conflict` while an equal order has an unknown outcome. */
export async function checkDuplicateExchange(
  context: Context,
  { partnerId }: { readonly partnerId: string },
  ordered: CrossBorderPayment,
): Promise<readonly PaymentWarning[]> {
  const { endToEndId } = ordered.metadata
  const since = context.clock.now().subtract(DUPLICATE_WITHIN)
  const similar = await listSimilarExchanges(context.database, { partnerId, endToEndId, since })
  const duplicates = similar.filter((payment) => isDuplicate(payment, ordered))
  const open = duplicates.find(isOutcomeUnknown)
  if (open !== undefined) {
    const message =
      'An order with this endToEndId, amount and receiver was submitted to the bank and its outcome is unknown; ' +
      'poll the payment named here'
    throw apiError('conflict', message, { paymentId: open.id })
  }
  const [first] = duplicates
  const reason = 'A payment with the same endToEndId, amount and receiver was ordered within the last 24 hours'
  return first === undefined
    ? []
    : [{ code: 'PossibleDuplicate', reason, path: '.metadata.endToEndId', paymentId: first.id }]
}

function isDuplicate({ type, ordered: stored }: Payment, { amount, to }: CrossBorderPayment): boolean {
  return (
    type === 'CrossBorder' &&
    stored.amount.currency === amount.currency &&
    Number(stored.amount.amount) === Number(amount.amount) &&
    receiverAccountNumber(stored) === receiverAccountNumber({ to })
  )
}

function receiverAccountNumber({ to: { account } }: Pick<CrossBorderPayment, 'to'>): string {
  return plainCode((account.type === 'iban' ? account.iban : account.bban) ?? '')
}
