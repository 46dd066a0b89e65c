/** What is asked of orders that a bank holds, of whichever product: how they stand, who signs them, their withdrawal. */
import type { Reader } from '../../../../platform/http/response-parser.ts'
import type { BankCaller, CancellationAnswer, OrdersAtBank } from '../../../connector/connector.ts'
import type { HeldOrder, PlacedOrder } from '../../../connector/order-at-bank.ts'
import { authorisationsOf } from '../authorisations/authorisations.ts'
import { cancellationEndedWith, endedWith } from '../authorisations/translate-authorisations.ts'
import { dialectOf } from '../dialect.ts'
import { asksForSigning, observe } from '../translate-status.ts'
import type { Line } from '../transport/bank-client.ts'
import { ask, consentHeader, creationHeaders, path, send } from '../transport/send-request.ts'
import { type PaymentStatus, readPaymentStatus, readWithdrawn } from '../wire.ts'

/** The bank takes the withdrawal, but wants the user to sign it. */
const ACCEPTED_FOR_AUTHORISATION = 202

/** What a product's orders are known by. */
export type ProductAtBank<Shown> = {
  readonly service: 'payments' | 'bulk-payments'
  /** Its name in the path; refuses an order that the bank has no product for. */
  name(caller: BankCaller, placed: PlacedOrder): string
  /** Reads an order that the bank shows. */
  readonly read: Reader<Shown>
  /** The order that the bank shows, told by the numbers that were asked for where it is theirs. */
  held(shown: Shown, placed: PlacedOrder, caller: BankCaller): HeldOrder
  /** How an order stands, in words that single payments know too. */
  asSingle?(answer: PaymentStatus, caller: BankCaller): PaymentStatus
}

/** Where an order lies, and what orders of its kind are called among operations. */
type Place = { readonly name: string; readonly where: string }

const nameByService = { payments: 'Payment', 'bulk-payments': 'BulkPayment' } as const

/** The orders of a product over one line. */
export function ordersAtBank<Shown>(line: Line, product: ProductAtBank<Shown>): OrdersAtBank {
  const { asSingle = (answer) => answer } = product
  const name = nameByService[product.service]
  const where = (caller: BankCaller, placed: PlacedOrder) =>
    path(product.service, product.name(caller, placed), placed.bankPaymentId)
  const status = async (caller: BankCaller, placed: PlacedOrder) =>
    asSingle(await askStatus(line, caller, { name, where: where(caller, placed) }), caller)
  return {
    read: async (caller, placed, { signed }) =>
      observe(await status(caller, placed), signed, dialectOf(caller.bank.profile)),
    readOrder: async (caller, placed) =>
      product.held(await askOrder(line, caller, { name, where: where(caller, placed) }, product.read), placed, caller),
    authorisations: authorisationsOf(line, {
      name,
      scope: paymentScope,
      collection: (caller, placed) => `${where(caller, placed)}/authorisations`,
      headers: consentHeader,
      readTarget: async (caller, placed, begun) =>
        endedWith(await status(caller, placed), dialectOf(caller.bank.profile), begun),
    }),
    cancellation: {
      cancel: (caller, placed, requestId) => cancel(line, caller, { name, where: where(caller, placed) }, requestId),
      authorisations: authorisationsOf(line, {
        name: `${name}Cancellation`,
        scope: paymentScope,
        collection: (caller, placed) => `${where(caller, placed)}/cancellation-authorisations`,
        headers: consentHeader,
        readTarget: async (caller, placed) =>
          cancellationEndedWith(await status(caller, placed), dialectOf(caller.bank.profile)),
      }),
    },
  }
}

/** How what lies there stands. */
export async function askStatus(line: Line, caller: BankCaller, { name, where }: Place): Promise<PaymentStatus> {
  const question = {
    operation: `get${name}Status`,
    purpose: 'status',
    method: 'GET',
    path: `${where}/status`,
  } as const
  return await ask(line.fetch, caller, question, readPaymentStatus)
}

/** What lies there. */
export async function askOrder<Shown>(
  line: Line,
  caller: BankCaller,
  { name, where }: Place,
  read: Reader<Shown>,
): Promise<Shown> {
  const question = { operation: `get${name}`, purpose: 'status', method: 'GET', path: where } as const
  return await ask(line.fetch, caller, question, read)
}

async function cancel(
  line: Line,
  caller: BankCaller,
  { name, where }: Place,
  requestId: string,
): Promise<CancellationAnswer> {
  const { status, body } = await send(line.fetch, caller, {
    operation: `cancel${name}`,
    purpose: 'cancellation',
    method: 'DELETE',
    path: where,
    requestId,
    headers: creationHeaders(caller, line.home),
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
