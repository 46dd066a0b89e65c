/** Calls every operation of a connector at a sandbox bank, as in the life of a consent and of its orders. */
import { expect } from 'vitest'
import { callerOfOrders, grantConsent, runAuthorisation } from '../conformance/conformance-harness.ts'
import { BankError } from '../connector/bank-error.ts'
import { type DomesticOrder, type SubmittedOrder, submittedAs } from '../connector/bank-order.ts'
import type { BankCaller, Connector, DomesticPaymentProduct } from '../connector/connector.ts'
import { runBulkLifecycle } from './bulk-lifecycle.ts'
import { SAMPLE_RETURN_URLS } from './samples.ts'
import { businessDay, type Control } from './sandbox-control.ts'
import { ordersAt, sandboxOrder } from './sandbox-samples.ts'
import { sandboxUser } from './sandbox-user.ts'

/** A consent and its reads, payments of every kind, cancellations, a basket, a bulk, and what the bank rejects. */
export async function runEveryOperation(connector: Connector, signedIn: BankCaller, control: Control): Promise<void> {
  const caller = await consented(connector, signedIn, control)
  await lookAtAccounts(connector, caller, control)
  const ordering = callerOfOrders(caller, signedIn)
  await payAll(connector, ordering, control)
  await beRejected(connector, ordering)
  await takeBack(connector, ordering, control)
  await signTogether(connector, ordering, control)
  await runBulkLifecycle(connector, ordering, control)
  await connector.consents.revoke(caller, caller.bankConsentId ?? '')
}

export function ignoreRejection(error: unknown): undefined {
  if (!(error instanceof BankError)) {
    throw error
  }
}

/** All operations of the connector. */
export function operationsAt({ profile }: BankCaller['bank']): readonly string[] {
  const signed = ['Payment', 'Consent']
  const further = [
    ...(profile.cancellation === 'after-signing' ? ['PaymentCancellation'] : []),
    ...(profile.baskets === null ? [] : ['SigningBasket']),
    ...(profile.payroll?.submissionMode === 'bulk' ? ['BulkPayment'] : []),
  ]
  return [
    ...[...signed, ...further].flatMap((name) => [`start${name}Authorisation`, `get${name}Authorisation`]),
    ...['initiatePayment', 'getPayment', 'getPaymentStatus', 'cancelPayment'],
    ...['createConsent', 'getConsent', 'deleteConsent', 'getAccounts', 'getBalances', 'getTransactions'],
    ...(profile.baskets === null ? [] : ['createSigningBasket', 'deleteSigningBasket']),
    ...(profile.payroll?.submissionMode === 'bulk'
      ? ['initiateBulkPayment', 'getBulkPayment', 'getBulkPaymentStatus']
      : []),
    ...(profile.oauth === 'none' ? [] : ['getAuthorisationServer', 'requestToken']),
  ]
}

/** A caller without the user, as the worker calls the bank. */
const withoutUser = (caller: BankCaller): BankCaller => ({ ...caller, psu: null })

/** The caller with a consent that its user has accepted. */
async function consented(connector: Connector, caller: BankCaller, control: Control): Promise<BankCaller> {
  const today = () => businessDay(control, caller.bank.profile.timeZone)
  const opened = await grantConsent({ ...playing(control), connector, caller, today })
  await connector.consents.read(opened, opened.bankConsentId ?? '')
  return opened
}

function playing(control: Control) {
  return { back: SAMPLE_RETURN_URLS, decide: sandboxUser(control) }
}

async function lookAtAccounts(connector: Connector, caller: BankCaller, control: Control): Promise<void> {
  const { accounts } = connector
  const to = await businessDay(control, caller.bank.profile.timeZone)
  await accounts?.list(withoutUser(caller))
  for (const account of (await accounts?.list(caller))?.accounts ?? []) {
    await accounts?.balance(caller, account)
    await accounts?.bookedEntries(caller, account.resourceId, { from: to.subtract({ days: 90 }), to })
  }
  await accounts?.balance(caller, { resourceId: crypto.randomUUID(), currency: 'NOK' }).catch(ignoreRejection)
}

/** Each kind of order; every other one is signed and booked, the rest is cancelled or rejected. */
async function payAll(connector: Connector, caller: BankCaller, control: Control): Promise<void> {
  const payments = paymentsOf(connector)
  const today = await businessDay(control, caller.bank.profile.timeZone)
  for (const [index, kind] of ordersAt(caller.bank).entries()) {
    const order = { ...sandboxOrder(caller.bank, today, BigInt(200_000 + index)), ...kind }
    const placed = await place(payments, caller, order)
    await payments.readOrder(caller, placed)
    const signs = index % 2 === 0
    const how = signs ? ({ preferred: 'qr' } as const) : ({ decision: 'reject' } as const)
    const { by } = await runAuthorisation(playing(control), payments.authorisations, { caller, target: placed, ...how })
    await payments.read(withoutUser(by), placed, { signed: signs })
    await withdraw(payments, by, placed, control)
    await payments.read(by, placed, { signed: signs })
  }
}

/**
 * An order that waits for its due date once it is signed, and an order that is cancelled with a signature where the
 * bank requires one.
 */
async function takeBack(connector: Connector, caller: BankCaller, control: Control): Promise<void> {
  const payments = paymentsOf(connector)
  const later = (await businessDay(control, caller.bank.profile.timeZone)).add({ days: 14 })
  const placed = await place(payments, caller, sandboxOrder(caller.bank, later, 70n))
  const { by } = await runAuthorisation(playing(control), payments.authorisations, { caller, target: placed })
  await withdraw(payments, by, placed, control)
}

async function withdraw(
  { cancellation }: DomesticPaymentProduct,
  caller: BankCaller,
  placed: SubmittedOrder,
  control: Control,
): Promise<void> {
  const answer = await cancellation.cancel(caller, placed, crypto.randomUUID()).catch(ignoreRejection)
  if (answer === 'authorisation-required') {
    await runAuthorisation(playing(control), cancellation.authorisations, { caller, target: placed })
  }
}

/** A basket that is signed, one that is deleted, and one that is rejected. */
async function signTogether(connector: Connector, caller: BankCaller, control: Control): Promise<void> {
  const { baskets } = connector
  if (baskets === undefined || caller.bank.profile.baskets === null) {
    return
  }
  const payments = paymentsOf(connector)
  const today = await businessDay(control, caller.bank.profile.timeZone)
  const order = (minor: bigint) => place(payments, caller, sandboxOrder(caller.bank, today, minor))
  const requested = {
    requestId: crypto.randomUUID(),
    back: SAMPLE_RETURN_URLS,
    payments: [await order(71n), await order(72n)],
  }
  const { bankBasketId } = await baskets.create(caller, requested)
  await baskets.create(caller, requested).catch(ignoreRejection)
  await baskets.drop(caller, bankBasketId)
  const again = await baskets.create(caller, requested)
  await runAuthorisation(playing(control), baskets.authorisations, { caller, target: again.bankBasketId })
}

async function beRejected(connector: Connector, caller: BankCaller): Promise<void> {
  const payments = paymentsOf(connector)
  const day = Temporal.PlainDate.from('2020-01-01')
  const order = sandboxOrder(caller.bank, day, 0n)
  await place(payments, caller, order).catch(ignoreRejection)
  const never = submittedAs(order, crypto.randomUUID())
  await payments.read(caller, never, { signed: false }).catch(ignoreRejection)
  await payments.authorisations
    .read(caller, never, { authorisationId: crypto.randomUUID(), partlySigned: false })
    .catch(ignoreRejection)
  await connector.consents.read(caller, crypto.randomUUID()).catch(ignoreRejection)
}

async function place(
  payments: DomesticPaymentProduct,
  caller: BankCaller,
  order: DomesticOrder,
): Promise<SubmittedOrder> {
  const request = { requestId: crypto.randomUUID(), notification: SAMPLE_RETURN_URLS.notification }
  return submittedAs(order, (await payments.initiate(caller, order, request)).bankPaymentId)
}

function paymentsOf({ domesticPayments }: Connector): DomesticPaymentProduct {
  return domesticPayments ?? expect.fail('The connector offers no payments')
}
