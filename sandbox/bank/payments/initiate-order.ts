/** Initiates an order: validates schema, rules and rights, and stores it unsigned; a repeated order is a new one. */

import type { Insertable } from 'kysely'
import { findRow, insertRow } from '../../rows.ts'
import { isStartedImplicitly } from '../authorisations/sca-approach.ts'
import { type StartedAuthorisation, startImplicitAuthorisation } from '../authorisations/start-authorisation.ts'
import { businessDay } from '../bank-calendar.ts'
import { consentById } from '../consents/consent-store.ts'
import { type Context, inTransaction } from '../context.ts'
import type { BankProfile, Rail } from '../fixture.ts'
import { accountOf, mayPay, maySee, signaturesRequired } from '../fixture-lookup.ts'
import { rejectIfScripted } from '../outcomes/scripted-outcome-table.ts'
import { requireKnownUser } from '../require-known-user.ts'
import { part, requireUserPresent, type Xs2aCall } from '../xs2a/xs2a-call.ts'
import { errorUnless, throwIfAnyMessage, xs2aError } from '../xs2a-error.ts'
import { insertBulkTransactions, type NewBulkTransaction } from './bulk-transaction-store.ts'
import { acceptSignature } from './execute-payment.ts'
import { orderRow, transactionRows } from './order-row.ts'
import { parseOrder, transactionPath } from './parse/parse-order.ts'
import { totalOf, type ValidOrder, validateOrder } from './parse/validate-order.ts'
import { type OrderService, type Payment, type PaymentTable, paymentPath } from './payment.ts'
import { findDuplicatePayment } from './payment-store.ts'

export type InitiatedOrder = {
  readonly payment: Pick<Payment, 'id' | 'service' | 'product' | 'status' | 'last_visible' | 'signed_at'>
  readonly started: StartedAuthorisation | null
  /** The ids of a bulk's transactions, in their order; none of a single payment. */
  readonly transactionIds: readonly string[]
}

/** For accounts that require no signature, more than any order has. */
const ALL_SIGNERS = Number.POSITIVE_INFINITY

/** All transactions are valid, or none is stored. */
export async function initiateOrder(context: Context, call: Xs2aCall, service: OrderService): Promise<InitiatedOrder> {
  const { bank } = call
  requireService(bank, service)
  requireUserPresent(call)
  const rails = requireProduct(bank, service, part(call, 'product'))
  const valid = validateOrder(context, bank, rails, parseOrder(bank, service, call.body))
  await requireRightToPay(context, call, valid.debtor)
  requireUnscripted(valid)
  const row = orderRow(context, call, valid)
  const transactions = transactionRows(context, call, valid)
  const stored = await storeOrder(context, call, row, transactions)
  return { ...stored, transactionIds: transactions.map(({ id }) => id) }
}

/** Rejects a service that the bank does not have. */
export function requireService({ bulk, name }: BankProfile, service: OrderService): void {
  if (service === 'bulk-payments' && bulk === null) {
    throw xs2aError(405, 'SERVICE_INVALID', `${name} does not offer bulk-payments`)
  }
}

/** The rails of a product; rejects a product that the bank does not have. */
export function requireProduct(bank: BankProfile, service: OrderService, product: string): readonly Rail[] {
  const found = bank.products.find(({ name }) => name === product)
  if (found === undefined) {
    throw xs2aError(404, 'PRODUCT_UNKNOWN', `${bank.name} has no payment product ${product}`)
  }
  if (service === 'bulk-payments' && found.rails.includes('cross-border')) {
    throw xs2aError(404, 'PRODUCT_UNKNOWN', `${bank.name} accepts no bulks of ${product}`)
  }
  return found.rails
}

/** An amount that causes rejection of a single payment causes rejection of the whole order. */
function requireUnscripted(valid: ValidOrder): void {
  for (const [index, { money }] of valid.transactions.entries()) {
    rejectIfScripted(money, (path) => transactionPath(valid, index, path))
  }
  rejectIfScripted(totalOf(valid))
}

/** Some banks accept equal orders once a day only; at some of them third parties can override the check. */
function acceptsDuplicate({ bank, query }: Xs2aCall): boolean {
  return (
    bank.duplicates === 'accepted' || (bank.duplicates === 'on-request' && query['allowLogicalDuplicate'] === 'true')
  )
}

async function rejectDuplicate(context: Context, bank: BankProfile, row: Insertable<PaymentTable>): Promise<void> {
  const like = await findDuplicatePayment(context, row)
  if (like !== undefined && businessDay(bank, like.created_at).equals(businessDay(bank, context.clock.now()))) {
    throw xs2aError(400, 'PAYMENT_FAILED', 'An equal payment was ordered today already (duplicate)')
  }
}

/**
 * Stores it in one transaction with its related rows. Unless the third party requests explicit start, its
 * authorisation is started at once; some accounts pay without SCA.
 */
async function storeOrder(
  context: Context,
  call: Xs2aCall,
  row: Insertable<PaymentTable>,
  transactions: readonly NewBulkTransaction[],
): Promise<Omit<InitiatedOrder, 'transactionIds'>> {
  const { bank, headers } = call
  const account = accountOf(context.fixture, bank.bic, row.debtor)
  const isExempt = account !== undefined && signaturesRequired(context.fixture, account) === 0
  const isStoredAlone = transactions.length === 0 && !isExempt && !isStartedImplicitly(bank, headers)
  if (isStoredAlone && acceptsDuplicate(call)) {
    await context.insertOrder(row)
    return { payment: { ...row, last_visible: row.last_visible ?? bank.lastVisible, signed_at: null }, started: null }
  }
  return await inTransaction(context, async (context) => {
    if (!acceptsDuplicate(call)) {
      await rejectDuplicate(context, bank, row)
    }
    const payment = await insertRow(context, 'payments', row)
    if (transactions.length > 0) {
      await insertBulkTransactions(context, payment.id, transactions)
    }
    if (isExempt) {
      // The response has the status: the third party does not know the payment yet.
      const unheard = { ...context, push: { ...context.push, send: () => undefined } }
      await acceptSignature(unheard, payment, { signers: ALL_SIGNERS, at: context.clock.now() })
      return {
        payment: (await findRow(context, 'payments', { id: payment.id }, { lock: true })) ?? payment,
        started: null,
      }
    }
    const start = { subject: 'payment', path: paymentPath(payment), resource: payment } as const
    return { payment, started: await startImplicitAuthorisation(context, call, start) }
  })
}

/** Rejects a user without the right to pay from the account with this number. */
async function requireRightToPay(context: Context, call: Xs2aCall, debtor: string): Promise<void> {
  const { fixture } = context
  const { bank, headers } = call
  const userId = headers.psuId ?? (await userOfConsent(context, call))
  if (userId === null) {
    throwIfAnyMessage(errorUnless(!bank.psuIdRequired, 'PSU-ID', 'PSU-ID is mandatory at this bank'))
    return
  }
  requireKnownUser(context, call, userId)
  const account = accountOf(fixture, bank.bic, debtor)
  if (account === undefined || !maySee(fixture, userId, account)) {
    throw xs2aError(403, 'RESOURCE_UNKNOWN', 'The user has no such account at this bank', 'debtorAccount')
  }
  if (!mayPay(fixture, userId, account)) {
    throw xs2aError(403, 'SERVICE_BLOCKED', 'The user may not pay from this account', 'debtorAccount')
  }
}

async function userOfConsent(context: Context, { bank, headers }: Xs2aCall): Promise<string | null> {
  if (headers.consentId === null) {
    return null
  }
  const consent = await consentById(context, bank.bic, headers.consentId)
  if (consent === undefined) {
    throw xs2aError(400, 'CONSENT_UNKNOWN', 'The bank knows no such consent', 'Consent-ID')
  }
  if (consent.status !== 'valid') {
    throw xs2aError(
      401,
      consent.status === 'expired' ? 'CONSENT_EXPIRED' : 'CONSENT_INVALID',
      'The consent is not valid',
    )
  }
  return consent.signer_id
}
