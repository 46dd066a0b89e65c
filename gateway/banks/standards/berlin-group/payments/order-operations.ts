/** Operations on submitted orders of any product: status, authorisations and cancellation. */
import type { ResponseParser } from '../../../../platform/http/response-parser.ts'
import type { OrderShownByBank, SubmittedOrder } from '../../../connector/bank-order.ts'
import type { BankCaller, CancellationAnswer, OrderOperations } from '../../../connector/connector.ts'
import type { BankResponse } from '../../../connector/connector-dependencies.ts'
import { createAuthorisations } from '../authorisations/authorisations.ts'
import { cancellationAuthorisationEnd, paymentAuthorisationEnd } from '../authorisations/translate-authorisations.ts'
import { dialectOf } from '../dialect.ts'
import { requiresSca, toStatusObservation } from '../translate-payment-status.ts'
import type { BankClient } from '../transport/bank-client.ts'
import { creationHeaders } from '../transport/request-headers.ts'
import { path, sendAndParse, sendChecked } from '../transport/send-request.ts'
import { type PaymentStatus, parseCancellationResponse, parsePaymentStatus } from '../wire.ts'

/** The bank accepts the cancellation, but the user has to sign it. */
const ACCEPTED_FOR_AUTHORISATION = 202

/** How the orders of a product are addressed and parsed. */
export type PaymentProductAdapter<Shown> = {
  readonly service: 'payments' | 'bulk-payments'
  /** Its name in the path. Throws `unsupported-product` where the bank has no product for an order. */
  name(caller: BankCaller, submitted: SubmittedOrder): string
  /** Parses an order from the bank. */
  readonly read: ResponseParser<Shown>
  /** The content of an order at its bank, with the expected account numbers where they match. */
  held(shown: Shown, submitted: SubmittedOrder, caller: BankCaller): OrderShownByBank
  /** The status of an order, as for single payments. */
  asSingle?(answer: PaymentStatus, caller: BankCaller): PaymentStatus
}

/** The path of an order, and the part of operation names for its kind. */
type OrderResource = { readonly name: string; readonly where: string }

/** The order operations of a bank client for one product. */
export function createOrderOperations<Shown>(line: BankClient, product: PaymentProductAdapter<Shown>): OrderOperations {
  const { asSingle = (answer) => answer } = product
  const name = product.service === 'payments' ? 'Payment' : 'BulkPayment'
  const where = (caller: BankCaller, submitted: SubmittedOrder) =>
    path(product.service, product.name(caller, submitted), submitted.bankPaymentId)
  const status = async (caller: BankCaller, submitted: SubmittedOrder) =>
    asSingle(await fetchPaymentStatus(line, caller, { name, where: where(caller, submitted) }), caller)
  return {
    read: async (caller, submitted, { signed }) =>
      toStatusObservation(await status(caller, submitted), signed, dialectOf(caller.bank.profile)),
    readOrder: async (caller, submitted) => {
      const shown = await fetchOrder(line, caller, { name, where: where(caller, submitted) }, product.read)
      return product.held(shown, submitted, caller)
    },
    authorisations: createAuthorisations(line, {
      name,
      signs: 'order',
      where,
      readTarget: async (caller, submitted, begun) =>
        paymentAuthorisationEnd(await status(caller, submitted), dialectOf(caller.bank.profile), begun),
    }),
    cancellation: {
      cancel: async (caller, submitted, requestId) => {
        const response = await sendChecked(line.fetch, caller, {
          operation: `cancel${name}`,
          purpose: 'cancellation',
          method: 'DELETE',
          path: where(caller, submitted),
          requestId,
          headers: creationHeaders(caller, line.home),
        })
        return toCancellationAnswer(response)
      },
      authorisations: createAuthorisations(line, {
        name: `${name}Cancellation`,
        signs: 'cancellation',
        where,
        readTarget: async (caller, submitted) =>
          cancellationAuthorisationEnd(await status(caller, submitted), dialectOf(caller.bank.profile)),
      }),
    },
  }
}

/** The status of the order at a path. */
export async function fetchPaymentStatus(
  line: BankClient,
  caller: BankCaller,
  { name, where }: OrderResource,
): Promise<PaymentStatus> {
  const question = { operation: `get${name}Status`, purpose: 'status', method: 'GET', path: `${where}/status` } as const
  return await sendAndParse(line, caller, question, parsePaymentStatus)
}

export async function fetchOrder<Shown>(
  line: BankClient,
  caller: BankCaller,
  { name, where }: OrderResource,
  read: ResponseParser<Shown>,
): Promise<Shown> {
  const question = { operation: `get${name}`, purpose: 'status', method: 'GET', path: where } as const
  return await sendAndParse(line, caller, question, read)
}

/** What a successful answer to a cancellation means. */
export function toCancellationAnswer({ status, body }: Pick<BankResponse, 'status' | 'body'>): CancellationAnswer {
  const answer = parseCancellationResponse(body)
  const wantsSignature = answer === undefined ? status === ACCEPTED_FOR_AUTHORISATION : requiresSca(answer)
  return wantsSignature || (status === ACCEPTED_FOR_AUTHORISATION && answer?.scaStatus !== 'exempted')
    ? 'authorisation-required'
    : 'accepted'
}
