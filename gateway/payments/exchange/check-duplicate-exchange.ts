/** Finds payments with exchange that order the same: what funds them never looks alike, because every price is another. */
import type { CrossBorderPayment } from '../../../contract/payments/cross-border-payment.ts'
import type { PaymentWarning } from '../../../contract/payments/payment-operations.ts'
import type { Context } from '../../context.ts'
import { listAlike } from '../../orders/exchange/exchange-store.ts'
import { isOutcomeUnknown, type Payment } from '../../orders/payment.ts'
import { refuse } from '../../platform/http/errors/api-error.ts'

const DUPLICATE_WITHIN = { hours: 24 }

/** Warns of a possible duplicate. Throws `conflict` while the outcome of an equal order is not known. */
export async function requireNoTwin(
  context: Context,
  { partnerId }: { readonly partnerId: string },
  ordered: CrossBorderPayment,
): Promise<readonly PaymentWarning[]> {
  const { endToEndId } = ordered.metadata
  const since = context.clock.now().subtract(DUPLICATE_WITHIN)
  const alike = await listAlike(context.database, { partnerId, endToEndId, since })
  const twins = alike.filter((payment) => isTwin(payment, ordered))
  const open = twins.find(isOutcomeUnknown)
  if (open !== undefined) {
    const message =
      'An order with this endToEndId, amount and receiver was handed to the bank and its outcome is not known; ' +
      'follow the payment named here'
    throw refuse('conflict', message, { paymentId: open.id })
  }
  const [first] = twins
  const reason = 'A payment with the same endToEndId, amount and receiver was ordered within the last 24 hours'
  return first === undefined
    ? []
    : [{ code: 'PossibleDuplicate', reason, path: '.metadata.endToEndId', paymentId: first.id }]
}

function isTwin({ type, ordered: kept }: Payment, { amount, to }: CrossBorderPayment): boolean {
  return (
    type === 'CrossBorder' &&
    kept.amount.currency === amount.currency &&
    Number(kept.amount.amount) === Number(amount.amount) &&
    numberOf(kept) === numberOf({ to })
  )
}

function numberOf({ to: { account } }: Pick<CrossBorderPayment, 'to'>): string {
  return ((account.type === 'iban' ? account.iban : account.bban) ?? '').replace(/\W/g, '').toUpperCase()
}
