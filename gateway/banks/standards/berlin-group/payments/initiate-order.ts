/** Asks a bank to take an order of whichever product, once. */
import type { Reader } from '../../../../platform/http/response-parser.ts'
import type { BankCaller } from '../../../connector/connector.ts'
import type { InitiationRequest, OrderTaken } from '../../../connector/order-at-bank.ts'
import { dialectOf } from '../dialect.ts'
import { observeTaken } from '../translate-status.ts'
import type { Line } from '../transport/bank-client.ts'
import {
  ask,
  consentHeader,
  creationHeaders,
  identityHeaders,
  notificationHeaders,
  path,
  type Question,
} from '../transport/send-request.ts'
import type { PaymentCreated } from '../wire.ts'

/** An order as the bank takes it, and how its answer is read. */
export type OrderToInitiate<Created extends PaymentCreated> = {
  readonly service: 'payments' | 'bulk-payments'
  readonly product: string
  readonly body: NonNullable<Question['body']>
  readonly read: Reader<Created>
}

/** Sends it; what the bank made of it, and its whole answer. */
export async function initiateOrder<Created extends PaymentCreated>(
  line: Line,
  caller: BankCaller,
  { requestId, notification }: InitiationRequest,
  { service, product, body, read }: OrderToInitiate<Created>,
): Promise<{ readonly taken: OrderTaken; readonly created: Created }> {
  const dialect = dialectOf(caller.bank.profile)
  const created = await ask(
    line.fetch,
    caller,
    {
      operation: service === 'payments' ? 'initiatePayment' : 'initiateBulkPayment',
      purpose: 'initiation',
      method: 'POST',
      path: path(service, product),
      query: dialect.initiationQuery ?? {},
      requestId,
      headers: {
        ...identityHeaders(caller),
        ...consentHeader(caller),
        ...notificationHeaders(notification),
        ...creationHeaders(caller, line.home),
      },
      body,
    },
    read,
  )
  return { taken: { bankPaymentId: created.paymentId, observation: observeTaken(created, dialect) }, created }
}
