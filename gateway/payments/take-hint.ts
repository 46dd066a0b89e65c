/** Takes a bank's hint that a payment changed: the bank is asked once, and nothing in the hint is believed. */
import { BankRefusal } from '../banks/connector/bank-error.ts'
import type { Context } from '../context.ts'
import { isOutcomeUnknown } from '../orders/payment.ts'
import { findPayment } from '../orders/payment-store.ts'
import { takeHint } from '../orders/status/payment-status-store.ts'
import { hashToken, isId } from '../platform/ids.ts'
import { settleByBank } from './settle-unknown-outcome.ts'

/** What stands in a hint's address. */
export type HintAddress = { readonly partnerId: string; readonly paymentId: string; readonly token: string }

/** At most one read within this time comes of hints. */
const QUIET_SECONDS = 10

/** Whether the hint is known or not is told to nobody. A payment whose outcome is unknown may be found by its id. */
export async function takePaymentHint(context: Context, address: HintAddress, body: unknown): Promise<void> {
  if (!isId(address.partnerId) || !isId(address.paymentId)) {
    return
  }
  const key = { partnerId: address.partnerId, id: address.paymentId }
  const times = { now: context.clock.now(), real: context.clock.real(), quietSeconds: QUIET_SECONDS }
  const isOurs = await takeHint(context.database, { ...key, hintHash: hashToken(address.token) }, times)
  const payment = isOurs ? await findPayment(context.database, key) : undefined
  const bankPaymentId = idIn(body)
  if (payment === undefined || bankPaymentId === undefined || !isOutcomeUnknown(payment)) {
    return
  }
  try {
    await settleByBank(context, payment, bankPaymentId)
  } catch (error) {
    const refusal = error instanceof BankRefusal ? error.kind : String(error)
    context.log.warn({ paymentId: payment.id, refusal }, 'a hint about an unknown outcome could not be checked')
  }
}

/** The standard's own sample spells the member `payment-ID`. */
function idIn(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null) {
    return undefined
  }
  const [, id] = Object.entries(body).find(([name]) => /^payment-?id$/i.test(name)) ?? []
  return typeof id === 'string' && id.length <= 128 ? id : undefined
}
