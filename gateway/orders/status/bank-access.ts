/** Gives access to the bank of an order: its operations on the order, and the credentials of the user who calls it. */
import type { Bank } from '../../banks/connector/bank.ts'
import { BankError } from '../../banks/connector/bank-error.ts'
import type { BankCaller, OrderOperations } from '../../banks/connector/connector.ts'
import { callBank } from '../../consents/call-bank.ts'
import type { Consent } from '../../consents/consent.ts'
import { activeConsentOf } from '../../consents/consent-lookup.ts'
import type { Context } from '../../context.ts'
import type { PsuSession } from '../../platform/http/operations/served-operation.ts'
import { instructionOf, loggedPaymentIds } from '../instruction.ts'
import { type Payment, productAtBank } from '../payment.ts'
import { withRedactedBankText } from '../redact-bank-text.ts'
import { listKnownPayrollTransactions } from '../store/payroll-transaction-store.ts'

/** The bank of an order, its operations on it, and the credentials with which it is called. */
export type BankAccess = {
  readonly bank: Bank
  readonly payments: OrderOperations
  readonly caller: BankCaller
}

/** On whose behalf the bank of an order is called: of the user of a consent, who is present where `psu` is not null. */
export type BankUser = { readonly consent: Consent | undefined; readonly psu: PsuSession | null }

/**
 * Calls the bank of an order; again without tokens that it has rejected. On behalf of `user`, who need not be the one who
 * ordered it; without one, under the consent of the order, or its renewal. Throws `unavailable` when the bank is not served
 * or the consent is not active.
 */
export async function withBankAccess<Result>(
  context: Context,
  payment: Payment,
  call: (at: BankAccess) => Promise<Result>,
  user?: BankUser,
): Promise<Result> {
  const { bic, id: paymentId } = payment
  const { consent, psu } = user ?? { consent: await activeConsentOf(context, payment), psu: null }
  const bank = await context.banks.find(bic)
  if (bank === undefined || consent === undefined) {
    throw notAvailableError(bic)
  }
  const payments = requireOrderOperations(context, bank, payment)
  const aboutPayments = loggedPaymentIds([payment])
  const request = { bank, consent, service: 'PIS', psu, paymentId, aboutPayments } as const
  return await callBank(context, request, (caller) => call({ bank, payments, caller }))
}

function notAvailableError(bic: string): BankError {
  return new BankError('unavailable', `The bank ${bic} is not available at the moment`)
}

/** The operations on an order at its bank; the bank's texts about private ones are redacted. Throws `unavailable`. */
export function requireOrderOperations(context: Context, bank: Bank, payment: Payment): OrderOperations {
  const { domesticPayments, crossBorderPayments, bulkPayments } = context.banks.connectorOf(bank)
  const ordersByProduct: Readonly<Record<ReturnType<typeof productAtBank>, OrderOperations | undefined>> = {
    domestic: domesticPayments,
    'cross-border': crossBorderPayments,
    bulk: bulkPayments && {
      ...bulkPayments,
      read: async (caller, order, known) => {
        const elements = await listKnownPayrollTransactions(context.database, payment)
        return await bulkPayments.read(caller, order, { ...known, elements })
      },
    },
    file: undefined,
  }
  const orders = ordersByProduct[productAtBank(payment)]
  if (orders === undefined) {
    throw notAvailableError(bank.bic)
  }
  return instructionOf(payment).isPrivate ? withRedactedBankText(orders) : orders
}
