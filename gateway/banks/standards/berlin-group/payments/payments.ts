/** Submits domestic and cross-border payments and reads their status. */
import { BankError } from '../../../connector/bank-error.ts'
import type { BankCaller, CrossBorderPaymentProduct, DomesticPaymentProduct } from '../../../connector/connector.ts'
import { creditorAccountNumber, domesticRailOf } from '../../../connector/domestic-order.ts'
import type { InitiationRequest, InitiationResult } from '../../../connector/order-at-bank.ts'
import { type CrossBorderDialect, dialectOf } from '../dialect.ts'
import type { BankClient } from '../transport/bank-client.ts'
import { parsePaymentCreated, parsePaymentDetails } from '../wire.ts'
import { crossBorderBody, toCrossBorderOrderShownByBank } from './cross-border-body.ts'
import { initiateOrder } from './initiate-order.ts'
import { paymentBody, toOrderShownByBank } from './order-body.ts'
import { createOrderOperations } from './order-operations.ts'

/** The domestic payment product of a bank client. */
export function domesticPaymentProduct(line: BankClient): DomesticPaymentProduct {
  return {
    initiate: (caller, order, request) =>
      initiate(line, caller, request, {
        product: productFor(caller, creditorAccountNumber(order.creditor.account)),
        body: paymentBody(order, dialectOf(caller.bank.profile)),
      }),
    ...createOrderOperations(line, {
      service: 'payments',
      read: parsePaymentDetails,
      name: (caller, { creditorBban }) => productFor(caller, creditorBban),
      held: (shown, submitted, { bank }) => toOrderShownByBank(shown, submitted, bank.countryCode),
    }),
  }
}

/** The cross-border payment product of a bank client. */
export function crossBorderPaymentProduct(line: BankClient): CrossBorderPaymentProduct {
  return {
    initiate: (caller, order, request) => {
      const crossBorder = crossBorderAt(caller)
      const body = crossBorderBody(order, dialectOf(caller.bank.profile), crossBorder)
      return initiate(line, caller, request, { product: crossBorder.product, body })
    },
    ...createOrderOperations(line, {
      service: 'payments',
      read: parsePaymentDetails,
      name: (caller) => crossBorderAt(caller).product,
      held: (shown, submitted, { bank }) => toCrossBorderOrderShownByBank(shown, submitted, bank.countryCode),
    }),
  }
}

async function initiate(
  line: BankClient,
  caller: BankCaller,
  request: InitiationRequest,
  order: { readonly product: string; readonly body: Record<string, unknown> },
): Promise<InitiationResult> {
  const initiation = { service: 'payments', read: parsePaymentCreated, ...order } as const
  return (await initiateOrder(line, caller, request, initiation)).result
}

/** Some banks have one product per rail. */
export function productFor({ bank }: BankCaller, creditorBban: string): string {
  const rail = domesticRailOf(creditorBban, bank.countryCode)
  const product = dialectOf(bank.profile).products[rail]
  if (product === undefined) {
    throw new BankError('unsupported-product', `${bank.name} does not offer payments of the rail ${rail}`)
  }
  return product
}

function crossBorderAt({ bank }: BankCaller): CrossBorderDialect {
  const { crossBorder } = dialectOf(bank.profile)
  if (crossBorder === undefined) {
    throw new BankError('unsupported-product', `${bank.name} does not offer cross-border payments`)
  }
  return crossBorder
}
