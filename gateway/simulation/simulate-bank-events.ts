/** Simulates events at the sandbox bank: changes of payments, consents and accounts, and outages. */

import type { PaymentStatus } from '../../contract/payments/payment-status.ts'
import type { SandboxPaymentStep, SandboxRejectionReason } from '../../contract/sandbox/sandbox-bank.ts'
import { consentOf } from '../consents/consent-lookup.ts'
import type { Context } from '../context.ts'
import { findPaymentOf } from '../orders/find-orders.ts'
import { type AcknowledgedPayment, isAcknowledged, type Payment, renderPaymentStatus } from '../orders/payment.ts'
import { pollPayment } from '../orders/status/poll-payment.ts'
import { apiError } from '../platform/http/errors/api-error.ts'
import { isId } from '../platform/ids.ts'
import type { SandboxControl } from './sandbox-control.ts'

/** The key of a partner's resource. */
export type OwnedKey = { readonly partnerId: string; readonly id: string }

/** How a consent ends, and the bank's status for it. */
const consentStatusByEnd = {
  expired: 'expired',
  'revoked-by-user': 'revokedByPsu',
  'revoked-by-bank': 'terminatedByTpp',
} as const

const SLOW_MILLISECONDS = 3_000
/** What makes a bank take or cancel an order; a signing basket is neither. */
const ORDER_OPERATIONS = ['initiatePayment', 'initiateBulkPayment', 'cancelPayment', 'cancelBulkPayment']
/** Of a payment after an event: workers seldom poll one twice within a second. */
const POLLS_MAX = 5

/** The faults of banks, as the API names them. */
export const BANK_FAULTS = ['down', 'slow', 'lose-next-answer'] as const

export type BankFault = {
  readonly effect: (typeof BANK_FAULTS)[number]
  readonly milliseconds?: number
}

/** Executes a step at the bank, and returns the status that the bank then reports. */
export async function simulatePaymentStep(
  context: Context,
  bank: SandboxControl,
  key: OwnedKey,
  { step, userId }: { readonly step: SandboxPaymentStep; readonly userId?: string },
): Promise<PaymentStatus> {
  const payment = await requireAcknowledgedPayment(context, key)
  await bank.act(`/payments/${payment.bankPaymentId}/${step}`, userId === undefined ? {} : { userId })
  return renderPaymentStatus(await pollAfterEvent(context, payment))
}

/** Makes the bank report a status of a payment from now on. */
export async function simulatePaymentStatus(
  context: Context,
  bank: SandboxControl,
  key: OwnedKey,
  status: { readonly transactionStatus: string; readonly reason?: SandboxRejectionReason },
): Promise<PaymentStatus> {
  const payment = await requireAcknowledgedPayment(context, key)
  await bank.act(`/payments/${payment.bankPaymentId}/status`, status)
  return renderPaymentStatus(await pollAfterEvent(context, payment))
}

/**
 * A poll of a worker may have read the bank before the event. The poll that loses against it is dropped and due again at
 * once, and is repeated here, because partners read the status next.
 */
async function pollAfterEvent(context: Context, payment: Payment): Promise<Payment> {
  let polled = await pollPayment(context, payment)
  for (let polls = 1; polls < POLLS_MAX && isDue(polled, context.clock.now()); polls += 1) {
    polled = await pollPayment(context, polled)
  }
  return polled
}

function isDue({ pollAt }: Payment, now: Temporal.Instant): boolean {
  return pollAt !== null && Temporal.Instant.compare(pollAt, now) <= 0
}

/** Ends a consent at its bank without a notification. */
export async function simulateConsentEnd(
  context: Context,
  bank: SandboxControl,
  { partnerId, id }: OwnedKey,
  how: keyof typeof consentStatusByEnd,
): Promise<undefined> {
  const consent = isId(id) ? await consentOf(context, { partnerId, consentId: id.toLowerCase() }) : undefined
  if (consent === undefined) {
    throw apiError('not-found', 'There is no consent with this id')
  }
  if (consent.bankConsentId === null) {
    throw apiError('conflict', 'This consent does not exist at the bank yet: its user has not signed in there')
  }
  await bank.act(`/consents/${consent.bankConsentId}/status`, { consentStatus: consentStatusByEnd[how] })
}

/** Makes a bank fail until its faults are cleared. */
export async function injectBankFault(bank: SandboxControl, bic: string, fault: BankFault): Promise<undefined> {
  await bank.act('/faults', { bank: bic, ...faultOf(fault) })
}

/** Books an entry from another source. */
export async function simulateBooking(
  bank: SandboxControl,
  bban: string,
  entry: object,
): Promise<{ bban: string; bookedOn: string }> {
  const booked = await bank.act(`/accounts/${encodeURIComponent(bban)}/entries`, entry)
  if (typeof booked !== 'object' || booked === null || !('bookedOn' in booked)) {
    throw new Error('The sandbox bank returned no booking time')
  }
  return { bban, bookedOn: String(booked.bookedOn) }
}

/** Ends one kind of fault of a bank. */
export async function clearBankFault(
  bank: SandboxControl,
  bic: string,
  effect: BankFault['effect'],
): Promise<undefined> {
  await bank.clearFaultsOf(bic, faultOf({ effect }).effect)
}

/** The faults of each bank that are on, by its BIC. */
export async function listBankFaults(
  bank: SandboxControl,
): Promise<ReadonlyMap<string, ReadonlySet<BankFault['effect']>>> {
  const found = (await bank.listFaults()).flatMap(({ bank: bic, effect }) => {
    const known = BANK_FAULTS.find((one) => faultOf({ effect: one }).effect === effect)
    return known === undefined ? [] : [{ bic, known }]
  })
  const byBic = Map.groupBy(found, ({ bic }) => bic)
  return new Map([...byBic].map(([bic, faults]) => [bic, new Set(faults.map(({ known }) => known))]))
}

function faultOf({ effect, milliseconds = SLOW_MILLISECONDS }: BankFault): {
  readonly operation: string | readonly string[]
  readonly effect: string
  readonly [detail: string]: string | number | readonly string[]
} {
  switch (effect) {
    case 'down':
      return { operation: '*', effect: 'down' }
    case 'slow':
      return { operation: '*', effect: 'slow', milliseconds }
    case 'lose-next-answer':
      return { operation: ORDER_OPERATIONS, effect: 'drop-connection', times: 1 }
  }
}

async function requireAcknowledgedPayment(context: Context, { partnerId, id }: OwnedKey): Promise<AcknowledgedPayment> {
  const payment = await findPaymentOf(context, partnerId, id)
  if (!isAcknowledged(payment)) {
    throw apiError('conflict', 'This payment is not known to exist at the bank; no event can be simulated')
  }
  return payment
}
