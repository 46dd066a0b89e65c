/** Takes a payment order: checks form, rules and rights, and keeps it unsigned. A repeated order is another payment. */
import type { Insertable } from 'kysely'
import { newId } from '../../../gateway/foundation/ids.ts'
import { parseMoney } from '../../../gateway/foundation/money.ts'
import { type StartedAuthorisation, startAuthorisation } from '../authorisations/start-authorisation.ts'
import { clearingDay, endOfDay } from '../bank-calendar.ts'
import { consentById } from '../consents/consent-store.ts'
import type { BankContext } from '../context.ts'
import { requireKnownUser } from '../known-user.ts'
import { accountNumberOf } from '../norwegian-account.ts'
import { formatProblem, refuse, requireNone } from '../refusal.ts'
import type { PaymentTable } from '../tables.ts'
import { accountOf, mayPay, maySee } from '../world.ts'
import type { BankProfile } from '../world-shape.ts'
import { part, requireUserPresent, type Xs2aCall } from '../xs2a/call.ts'
import type { Payment } from './payment.ts'
import { type PaymentOrder, readOrder } from './payment-order.ts'
import { problemsOf, requestedDay } from './payment-rules.ts'
import { insertPayment } from './payment-store.ts'

export type InitiatedPayment = { readonly payment: Payment; readonly started: StartedAuthorisation | null }

/** Initiates a payment; unless the third party wants to start the authorisation itself, it is started at once. */
export async function initiatePayment(context: BankContext, call: Xs2aCall): Promise<InitiatedPayment> {
  const { bank, headers } = call
  requireUserPresent(call)
  requireProduct(bank, part(call, 'product'))
  const order = readOrder(call.body)
  requireNone(problemsOf(bank, order, context.clock.now()))
  requireKid(context, bank, order)
  await requireRightToPay(context, call, order)
  const row = paymentRow(context, call, order)
  if (headers.explicitAuthorisation) {
    return { payment: await insertPayment(context.database.query, row), started: null }
  }
  return await context.database.query.transaction().execute(async (transaction) => {
    const payment = await insertPayment(transaction, row)
    const targetPath = paymentPath(payment)
    const asked = { bank, subject: 'payment', headers, targetPath } as const
    return { payment, started: await startAuthorisation(context, transaction, asked, payment) }
  })
}

/** Where a payment is found, below `/v1`. */
export function paymentPath(payment: Pick<Payment, 'service' | 'product' | 'id'>): string {
  return `/${payment.service}/${payment.product}/${payment.id}`
}

/** Refuses a product that the bank does not have. */
export function requireProduct(bank: BankProfile, product: string): void {
  if (!bank.products.includes(product)) {
    throw refuse(404, 'PRODUCT_UNKNOWN', `${bank.name} has no payment product ${product}`)
  }
}

function requireKid({ world }: BankContext, bank: BankProfile, order: PaymentOrder): void {
  const creditor = accountOf(world, bank.bic, accountNumberOf(order.creditorAccount) ?? '')
  if (creditor?.kidOnly === true && order.remittanceInformationStructuredArray === undefined) {
    const path = 'remittanceInformationStructuredArray'
    throw refuse(401, 'KID_MISSING', 'The receiver takes payments with a KID only', path)
  }
}

async function requireRightToPay(context: BankContext, call: Xs2aCall, order: PaymentOrder): Promise<void> {
  const { world } = context
  const { bank, headers } = call
  const userId = headers.psuId ?? (await userOfConsent(context, call))
  if (userId === null) {
    requireNone(bank.psuIdRequired ? [formatProblem('PSU-ID', 'PSU-ID is mandatory at this bank')] : [])
    return
  }
  requireKnownUser(context, bank, userId, headers.psuCorporateId)
  const debtor = accountOf(world, bank.bic, accountNumberOf(order.debtorAccount) ?? '')
  if (debtor === undefined || !maySee(world, userId, debtor)) {
    throw refuse(403, 'RESOURCE_UNKNOWN', 'The user has no such account at this bank', 'debtorAccount')
  }
  if (!mayPay(world, userId, debtor)) {
    throw refuse(403, 'SERVICE_BLOCKED', 'The user may not pay from this account', 'debtorAccount')
  }
}

async function userOfConsent(context: BankContext, { bank, headers }: Xs2aCall): Promise<string | null> {
  if (headers.consentId === null) {
    return null
  }
  const consent = await consentById(context.database.query, bank.bic, headers.consentId)
  if (consent === undefined) {
    throw refuse(400, 'CONSENT_UNKNOWN', 'The bank knows no such consent', 'Consent-ID')
  }
  if (consent.status !== 'valid') {
    throw refuse(401, consent.status === 'expired' ? 'CONSENT_EXPIRED' : 'CONSENT_INVALID', 'The consent is not valid')
  }
  return consent.signer_id
}

function paymentRow(context: BankContext, call: Xs2aCall, order: PaymentOrder): Insertable<PaymentTable> {
  const { bank, headers } = call
  const now = context.clock.now()
  const money = parseMoney(order.instructedAmount.amount, order.instructedAmount.currency)
  const requestedOn = requestedDay(bank, order, now)
  const debtor = accountNumberOf(order.debtorAccount)
  const creditor = accountNumberOf(order.creditorAccount)
  if (money === undefined || requestedOn === undefined || debtor === undefined || creditor === undefined) {
    throw new Error('An order that passed every rule has no amount, day or account')
  }
  // Inside the bank money moves every day; to another bank it waits for the clearing.
  const isInside = accountOf(context.world, bank.bic, creditor) !== undefined
  const executionOn = isInside ? requestedOn : clearingDay(requestedOn)
  const { minutes } = bank.unsignedLifetime
  return {
    id: newId(),
    bank: bank.bic,
    service: 'payments',
    product: part(call, 'product'),
    body: JSON.stringify(order),
    debtor,
    creditor,
    creditor_name: order.creditorName,
    amount_minor: money.minor,
    currency: money.currency,
    message: order.remittanceInformationUnstructured ?? null,
    reference: order.remittanceInformationStructuredArray?.[0]?.reference ?? null,
    execution_on: executionOn.toString(),
    status: bank.initialStatus,
    lapsed: false,
    request_id: headers.requestId,
    psu_id: headers.psuId,
    corporate_id: headers.psuCorporateId,
    redirect_uri: headers.redirectUri,
    nok_redirect_uri: headers.nokRedirectUri,
    notification_uri: headers.notificationUri,
    notification_content: headers.notificationContent,
    created_at: now.toString(),
    changed_at: now.toString(),
    due_at: (minutes === null ? endOfDay(bank, executionOn) : now.add({ minutes })).toString(),
  }
}
