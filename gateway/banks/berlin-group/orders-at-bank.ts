/** What is asked of orders that a bank holds, of whichever product: how they stand, who signs them, their withdrawal. */
import type { BankCaller, CancellationAnswer, HeldOrder, OrdersAtBank, PlacedOrder } from '../connector.ts'
import { ask, consentHeader, explicitHeaders, path, send } from './ask.ts'
import { authorisationsOf } from './authorisations.ts'
import { dialectOf } from './dialect.ts'
import type { Line } from './line.ts'
import { asksForSigning, observe } from './translate.ts'
import { cancellationEndedWith, endedWith } from './translate-authorisations.ts'
import { type PaymentHeld, type PaymentStatus, readPaymentHeld, readPaymentStatus, readWithdrawn } from './wire.ts'

/** The bank takes the withdrawal, but wants the user to sign it. */
const ACCEPTED_FOR_AUTHORISATION = 202

/** What a product's orders are known by. */
export type ProductAtBank = {
  /** Its name in the path; refuses an order that the bank has no product for. */
  name(caller: BankCaller, placed: PlacedOrder): string
  /** The order that the bank shows, told by the numbers that were asked for where it is theirs. */
  held(shown: PaymentHeld, placed: PlacedOrder, caller: BankCaller): HeldOrder
}

/** The orders of a product over one line. */
export function ordersAtBank(line: Line, product: ProductAtBank): OrdersAtBank {
  const where = (caller: BankCaller, placed: PlacedOrder) =>
    path('payments', product.name(caller, placed), placed.bankPaymentId)
  const status = (caller: BankCaller, placed: PlacedOrder) => askStatus(line, caller, where(caller, placed))
  return {
    read: async (caller, placed, { signed }) =>
      observe(await status(caller, placed), signed, dialectOf(caller.bank.profile)),
    readOrder: async (caller, placed) =>
      product.held(await askOrder(line, caller, where(caller, placed)), placed, caller),
    authorisations: authorisationsOf(line, {
      name: 'Payment',
      scope: paymentScope,
      collection: (caller, placed) => `${where(caller, placed)}/authorisations`,
      headers: consentHeader,
      readTarget: async (caller, placed, begun) =>
        endedWith(await status(caller, placed), dialectOf(caller.bank.profile), begun),
    }),
    cancellation: {
      cancel: (caller, placed, requestId) => cancel(line, caller, where(caller, placed), requestId),
      authorisations: authorisationsOf(line, {
        name: 'PaymentCancellation',
        scope: paymentScope,
        collection: (caller, placed) => `${where(caller, placed)}/cancellation-authorisations`,
        headers: consentHeader,
        readTarget: async (caller, placed) =>
          cancellationEndedWith(await status(caller, placed), dialectOf(caller.bank.profile)),
      }),
    },
  }
}

async function askStatus(line: Line, caller: BankCaller, where: string): Promise<PaymentStatus> {
  const question = {
    operation: 'getPaymentStatus',
    purpose: 'status',
    method: 'GET',
    path: `${where}/status`,
  } as const
  return await ask(line.fetch, caller, question, readPaymentStatus)
}

async function askOrder(line: Line, caller: BankCaller, where: string): Promise<PaymentHeld> {
  const question = { operation: 'getPayment', purpose: 'status', method: 'GET', path: where } as const
  return await ask(line.fetch, caller, question, readPaymentHeld)
}

async function cancel(line: Line, caller: BankCaller, where: string, requestId: string): Promise<CancellationAnswer> {
  const { status, body } = await send(line.fetch, caller, {
    operation: 'cancelPayment',
    purpose: 'cancellation',
    method: 'DELETE',
    path: where,
    requestId,
    headers: explicitHeaders(caller, line.home),
  })
  const answer = readWithdrawn(body)
  const wantsSignature = answer === undefined ? status === ACCEPTED_FOR_AUTHORISATION : asksForSigning(answer)
  return wantsSignature || (status === ACCEPTED_FOR_AUTHORISATION && answer?.scaStatus !== 'exempted')
    ? 'authorisation-required'
    : 'accepted'
}

function paymentScope({ bankPaymentId }: PlacedOrder): string {
  return `PIS:${bankPaymentId}`
}
