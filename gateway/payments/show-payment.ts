/** Shows a payment to the partner that made it: what was asked, and what became of it. */

import type { ExchangeTerms } from '../../contract/fx/exchange-terms.ts'
import type { CrossBorderPayment } from '../../contract/payments/cross-border-payment.ts'
import type { Payment as PaymentDetail, PaymentListed } from '../../contract/payments/payment-response.ts'
import type { PaymentStatusRead } from '../../contract/shapes.ts'
import type { PartnerCaller } from '../auth/partner.ts'
import { carriedParts } from '../banks/carried-parts.ts'
import type { Context } from '../context.ts'
import { expectedExecution } from '../orders/instructions/expected-execution-date.ts'
import {
  isFinal,
  isOutcomeUnknown,
  isPartners,
  type PartnersPayment,
  productAtBank,
  shownStatus,
} from '../orders/payment.ts'
import { findPayment, listHistory } from '../orders/payment-store.ts'
import { claimRead } from '../orders/status/payment-status-store.ts'
import { printTimestamp } from '../platform/format-timestamp.ts'
import { refuse } from '../platform/http/errors/api-error.ts'
import { parseMoney, printMoney } from '../platform/money.ts'
import { showExchange } from './exchange/exchange-details.ts'
import { followPayment } from './follow-payment.ts'

/** Longer than a read at a bank may take. */
const READ_LEASE = { minutes: 3 }

/** The status, read at the bank first when its next read is due. */
export async function showPaymentStatus(
  context: Context,
  caller: PartnerCaller,
  id: string,
): Promise<PaymentStatusRead> {
  const payment = await requireFresh(context, caller, id)
  return { ...shownStatus(payment), ...(isOutcomeUnknown(payment) ? { outcomeUnknown: true } : {}) }
}

/** What was asked, what became of it, and how it came about. */
export async function showPayment(context: Context, caller: PartnerCaller, id: string): Promise<PaymentDetail> {
  const payment = await requireFresh(context, caller, id)
  const history = await listHistory(context.database, payment)
  const expected = await expectedExecution(context, payment)
  const told = await toldToBank(context, payment)
  const exchanged = await showExchange(context, payment)
  return { ...listedOf(payment), ...told, ...expected, ...exchanged, statusHistory: history.map(shownStatus) }
}

/** The id that the user's bank and the receiver see, where the bank carries one. */
async function toldToBank(
  { banks }: Pick<Context, 'banks'>,
  payment: PartnersPayment,
): Promise<{ readonly bankEndToEndId?: string }> {
  const bank = await banks.find(payment.bic)
  const carried = bank && carriedParts(bank)
  const carrier = productAtBank(payment) === 'cross-border' ? carried?.crossBorder : carried
  const bankEndToEndId = carrier?.endToEndId(payment.endToEndId) ?? null
  return bankEndToEndId === null ? {} : { bankEndToEndId }
}

/** The payment, read at the bank first when that is due; of many who ask at once, one reads. */
async function requireFresh(context: Context, { partnerId }: PartnerCaller, id: string): Promise<PartnersPayment> {
  const payment = await findPayment(context.database, { partnerId, id: id.toLowerCase() })
  if (payment === undefined || !isPartners(payment)) {
    throw refuse('not-found', 'There is no payment with this id')
  }
  const { clock, database } = context
  const [now, real] = [clock.now(), clock.real()]
  const isDue = payment.pollAt !== null && Temporal.Instant.compare(payment.pollAt, now) <= 0
  const mayRead =
    isDue && !isFinal(payment) && (await claimRead(database, payment, { now, real, leaseUntil: real.add(READ_LEASE) }))
  const read = mayRead ? await followPayment(context, payment) : payment
  return isPartners(read) ? read : payment
}

/** A payment as lists show it. */
export function listedOf(payment: PartnersPayment): PaymentListed {
  const became = {
    paymentId: payment.id,
    paymentStatus: shownStatus(payment),
    finalStatus: isFinal(payment),
    outcomeUnknown: isOutcomeUnknown(payment),
    createdAt: printTimestamp(payment.createdAt),
    updatedAt: printTimestamp(payment.changedAt),
  }
  if (payment.type === 'Domestic') {
    const { type, ordered } = payment
    return { ...ordered, type, from: shownDebtor(ordered.from), amount: printMoney(payment.amount), ...became }
  }
  const { type, ordered } = payment
  const terms = termsKept(payment)
  return { ...ordered, type, from: shownDebtor(ordered.from), amount: printed(ordered.amount), ...terms, ...became }
}

/** What the payment itself knows of its exchange. */
function termsKept({ exchange, amount, quoteId, deadlineAt }: PartnersPayment): ExchangeTerms {
  return exchange === null || quoteId === null || deadlineAt === null
    ? {}
    : { costAmount: printMoney(amount), quoteId, quoteExpiryTime: printTimestamp(deadlineAt) }
}

function shownDebtor<Debtor extends { readonly organizationNumber?: string | number }>({
  organizationNumber,
  ...debtor
}: Debtor) {
  return { ...debtor, ...(organizationNumber === undefined ? {} : { organizationNumber: String(organizationNumber) }) }
}

/** As the receiver is paid it: what funds an exchange is another amount. */
function printed({ amount, currency }: CrossBorderPayment['amount']): CrossBorderPayment['amount'] {
  const money = parseMoney(amount, currency)
  return money === undefined ? { amount, currency } : printMoney(money)
}
