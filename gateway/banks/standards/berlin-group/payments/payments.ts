/** Payments at a bank, domestic and across borders: handed over, and from then on asked about. */
import { BankRefusal } from '../../../connector/bank-error.ts'
import type { BankCaller, CrossBorderPaymentProduct, DomesticPaymentProduct } from '../../../connector/connector.ts'
import { numberOf, railOf } from '../../../connector/domestic-order.ts'
import type { InitiationRequest, OrderTaken } from '../../../connector/order-at-bank.ts'
import { type CrossBorderDialect, dialectOf } from '../dialect.ts'
import type { Line } from '../transport/bank-client.ts'
import { readPaymentCreated, readPaymentHeld } from '../wire.ts'
import { crossBorderBody, heldCrossBorderOrder } from './cross-border-body.ts'
import { initiateOrder } from './initiate-order.ts'
import { heldOrder, orderBody } from './order-body.ts'
import { ordersAtBank } from './order-operations.ts'

/** The domestic payment product over one line. */
export function domesticPaymentProduct(line: Line): DomesticPaymentProduct {
  return {
    initiate: (caller, order, request) =>
      initiate(line, caller, request, {
        product: productFor(caller, numberOf(order.creditor.account)),
        body: orderBody(order, dialectOf(caller.bank.profile)),
      }),
    ...ordersAtBank(line, {
      service: 'payments',
      read: readPaymentHeld,
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
      service: 'payments',
      read: readPaymentHeld,
      name: (caller) => crossBorderAt(caller).product,
      held: (shown, placed, { bank }) => heldCrossBorderOrder(shown, placed, bank.countryCode),
    }),
  }
}

async function initiate(
  line: Line,
  caller: BankCaller,
  request: InitiationRequest,
  order: { readonly product: string; readonly body: Record<string, unknown> },
): Promise<OrderTaken> {
  const asked = { service: 'payments', read: readPaymentCreated, ...order } as const
  return (await initiateOrder(line, caller, request, asked)).taken
}

/** Some banks have a product for each rail. */
export function productFor({ bank }: BankCaller, creditorBban: string): string {
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
