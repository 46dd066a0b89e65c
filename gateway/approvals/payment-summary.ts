/** Writes what a user sees of a payment before signing it; the same lines are kept as evidence. */

import {
  type ShownThing,
  shownAmount,
  shownDay,
  shownMoney,
  shownText,
  shownTime,
} from '../authorisations/signature-summary.ts'
import { countryRules } from '../countries/served-countries.ts'
import { rateOf } from '../fx/rates/rate-arithmetic.ts'
import type { PartnersPayment } from '../orders/payment.ts'
import { type Money, parseMoney } from '../platform/money.ts'

/** Amount, receiver, accounts, date and reference. */
export function shownPayment(payment: PartnersPayment): ShownThing {
  const { amount, ordered, debtorBban, creditorBban, dueDate } = payment
  const exchange = shownExchange(payment)
  return [
    shownAmount(amount),
    shownText('to', ordered.to.contactInformation.name),
    ...(exchange ?? [{ label: 'to-account', value: creditorBban, kind: 'account' }]),
    { label: 'from-account', value: debtorBban, kind: 'account' },
    shownDay('date', dueDate),
    ...shownRemittance(payment),
  ]
}

/** What is signed pays a provider, which pays the receiver: both accounts, what arrives, the rate, and the deadline. */
function shownExchange(payment: PartnersPayment): ShownThing | undefined {
  const { type, ordered, exchange, deadlineAt, amount: cost, creditorBban, countryCode } = payment
  if (type !== 'CrossBorder' || exchange === null || deadlineAt === null) {
    return undefined
  }
  const { bban, iban } = ordered.to.account
  const payout = parseMoney(ordered.amount.amount, ordered.amount.currency)
  const zone = countryRules(countryCode)?.timeZone ?? 'UTC'
  return [
    { label: 'to-account', value: iban ?? bban ?? '', kind: 'account' },
    ...(payout === undefined ? [] : [shownMoney('receives', payout), shownText('rate', rateText(cost, payout))]),
    { label: 'through-account', value: creditorBban, kind: 'account' },
    shownTime('sign-before', deadlineAt.toZonedDateTimeISO(zone)),
  ]
}

function rateText(cost: Money, payout: Money): string {
  return `1 ${payout.currency} = ${rateOf(cost, payout)} ${cost.currency}`
}

function shownRemittance(payment: PartnersPayment): ShownThing {
  if (payment.type === 'CrossBorder') {
    return [shownText('message', payment.ordered.remittanceInformation.message)]
  }
  const remittance = payment.ordered.remittanceInformation
  return remittance === undefined || !('value' in remittance)
    ? []
    : [shownText(remittance.type === 'message' ? 'message' : 'reference', remittance.value)]
}
