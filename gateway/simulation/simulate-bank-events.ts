/** Lets things happen at the sandbox bank behind our back: to payments, consents, accounts, and to the bank itself. */
import type { SandboxPaymentStep } from '../../contract/sandbox/sandbox-bank.ts'
import type { PaymentStatus } from '../../contract/shapes.ts'
import { consentOf } from '../consents/find-consent.ts'
import type { Context } from '../context.ts'
import { findPaymentsOf } from '../orders/find-payments.ts'
import { type HeldPayment, isHeld, shownStatus } from '../orders/payment.ts'
import { followPayment } from '../payments/follow-payment.ts'
import { refuse } from '../platform/http/errors/api-error.ts'
import { isId } from '../platform/ids.ts'
import type { SandboxControl } from './sandbox-control.ts'

/** A thing of a partner's. */
export type Owned = { readonly partnerId: string; readonly id: string }

/** How a consent ends, and the bank's word for it. */
const consentStatusByEnd = {
  expired: 'expired',
  'revoked-by-user': 'revokedByPsu',
  'revoked-by-bank': 'terminatedByTpp',
} as const

const SLOW_MILLISECONDS = 3_000

/** What happens to a bank as a whole. */
export type Disturbance = {
  readonly effect: 'down' | 'slow' | 'lose-next-answer'
  readonly milliseconds?: number
}

/** Carries a step out at the bank, and answers the status as it is read there afterwards. */
export async function stepPayment(
  context: Context,
  bank: SandboxControl,
  key: Owned,
  { step, userId }: { readonly step: SandboxPaymentStep; readonly userId?: string },
): Promise<PaymentStatus> {
  const payment = await requireHeldPayment(context, key)
  await bank.act(`/payments/${payment.bankPaymentId}/${step}`, userId === undefined ? {} : { userId })
  return shownStatus(await followPayment(context, payment))
}

/** Has the bank say a word of a payment from now on. */
export async function setPaymentStatus(
  context: Context,
  bank: SandboxControl,
  key: Owned,
  transactionStatus: string,
): Promise<PaymentStatus> {
  const payment = await requireHeldPayment(context, key)
  await bank.act(`/payments/${payment.bankPaymentId}/status`, { transactionStatus })
  return shownStatus(await followPayment(context, payment))
}

/** Ends a consent at its bank; nobody tells us. */
export async function endConsentAtBank(
  context: Context,
  bank: SandboxControl,
  { partnerId, id }: Owned,
  how: keyof typeof consentStatusByEnd,
): Promise<undefined> {
  const consent = isId(id) ? await consentOf(context, { partnerId, consentId: id.toLowerCase() }) : undefined
  if (consent === undefined) {
    throw refuse('not-found', 'There is no consent with this id')
  }
  if (consent.bankConsentId === null) {
    throw refuse('conflict', 'The bank does not hold this consent yet: its user has not signed in there')
  }
  await bank.act(`/consents/${consent.bankConsentId}/status`, { consentStatus: consentStatusByEnd[how] })
}

/** Lets a bank fail until it is healed. */
export async function disturbBank(bank: SandboxControl, bic: string, fault: Disturbance): Promise<undefined> {
  await bank.act('/faults', { bank: bic, ...faultOf(fault) })
}

/** Books something that came from elsewhere. */
export async function addEntry(
  bank: SandboxControl,
  bban: string,
  entry: object,
): Promise<{ bban: string; bookedOn: string }> {
  const booked = await bank.act(`/accounts/${encodeURIComponent(bban)}/entries`, entry)
  if (typeof booked !== 'object' || booked === null || !('bookedOn' in booked)) {
    throw new Error('The sandbox bank does not say when it booked an entry')
  }
  return { bban, bookedOn: String(booked.bookedOn) }
}

function faultOf({ effect, milliseconds = SLOW_MILLISECONDS }: Disturbance): object {
  switch (effect) {
    case 'down':
      return { operation: '*', effect: 'down' }
    case 'slow':
      return { operation: '*', effect: 'slow', milliseconds }
    case 'lose-next-answer':
      return { operation: 'initiatePayment', effect: 'drop-connection', times: 1 }
  }
}

async function requireHeldPayment(context: Context, { partnerId, id }: Owned): Promise<HeldPayment> {
  const [payment] = await findPaymentsOf(context, partnerId, [id])
  if (payment === undefined || !isHeld(payment)) {
    throw refuse('conflict', 'It is not known that the bank holds this payment; nothing can happen to it there')
  }
  return payment
}
