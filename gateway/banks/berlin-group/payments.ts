/** Payments at a bank, domestic and across borders: handed over, and from then on asked about. */
import { BankRefusal } from '../bank-refusal.ts'
import {
  type BankCaller,
  type CrossBorderPaymentProduct,
  type DomesticPaymentProduct,
  type InitiationRequest,
  numberOf,
  type OrderTaken,
  railOf,
} from '../connector.ts'
import { ask, consentHeader, explicitHeaders, identityHeaders, notificationHeaders, path } from './ask.ts'
import { crossBorderBody, heldCrossBorderOrder } from './cross-border-body.ts'
import { type CrossBorderDialect, dialectOf } from './dialect.ts'
import type { Line } from './line.ts'
import { heldOrder, orderBody } from './order-body.ts'
import { ordersAtBank } from './orders-at-bank.ts'
import { observeTaken } from './translate.ts'
import { readPaymentCreated } from './wire.ts'

/** The domestic payment product over one line. */
export function domesticPaymentProduct(line: Line): DomesticPaymentProduct {
  return {
    initiate: (caller, order, request) =>
      initiate(line, caller, request, {
        product: productFor(caller, numberOf(order.creditor.account)),
        body: orderBody(order, dialectOf(caller.bank.profile)),
      }),
    ...ordersAtBank(line, {
      name: (caller, { creditorBban }) => productFor(caller, creditorBban),
      held: (shown, placed, { bank }) => heldOrder(shown, placed, bank.countryCode),
    }),
  }
}

/** The cross-border payment product over one line. */
export function crossBorderPaymentProduct(line: Line): CrossBorderPaymentProduct {
  return {
    initiate: (caller, order, request) => {
      const crossBorder = crossBorderAt(caller)
      const body = crossBorderBody(order, dialectOf(caller.bank.profile), crossBorder)
      return initiate(line, caller, request, { product: crossBorder.product, body })
    },
    ...ordersAtBank(line, {
      name: (caller) => crossBorderAt(caller).product,
      held: (shown, placed, { bank }) => heldCrossBorderOrder(shown, placed, bank.countryCode),
    }),
  }
}

async function initiate(
  line: Line,
  caller: BankCaller,
  { requestId, notification }: InitiationRequest,
  { product, body }: { readonly product: string; readonly body: Record<string, unknown> },
): Promise<OrderTaken> {
  const dialect = dialectOf(caller.bank.profile)
  const created = await ask(
    line.fetch,
    caller,
    {
      operation: 'initiatePayment',
      purpose: 'initiation',
      method: 'POST',
      path: path('payments', product),
      query: dialect.initiationQuery ?? {},
      requestId,
      headers: {
        ...identityHeaders(caller),
        ...consentHeader(caller),
        ...notificationHeaders(notification),
        ...explicitHeaders(caller, line.home),
      },
      body,
    },
    readPaymentCreated,
  )
  return { bankPaymentId: created.paymentId, observation: observeTaken(created, dialect) }
}

/** Some banks have a product for each rail. */
function productFor({ bank }: BankCaller, creditorBban: string): string {
  const rail = railOf(creditorBban, bank.countryCode)
  const product = dialectOf(bank.profile).products[rail]
  if (product === undefined) {
    throw new BankRefusal('unsupported-product', `${bank.name} carries no payments of the kind ${rail}`)
  }
  return product
}

function crossBorderAt({ bank }: BankCaller): CrossBorderDialect {
  const { crossBorder } = dialectOf(bank.profile)
  if (crossBorder === undefined) {
    throw new BankRefusal('unsupported-product', `${bank.name} carries no payments across borders`)
  }
  return crossBorder
}
