/** Creates payments for checks: small amounts from an account of the consent to a known receiver. */
import { randomBytes } from 'node:crypto'
import type { Account } from '../../contract/accounts.ts'
import type { DomesticPayment } from '../../contract/payments/domestic-payment.ts'
import type { PaymentInitiated } from '../../contract/payments/payment-operations.ts'
import type { PayrollRequest } from '../../contract/payrolls/payroll-request.ts'
import { type CheckContext, NotApplicable, Violation } from '../check.ts'
import { reportedErrors, require } from '../expectations.ts'
import { describeAnswer } from '../http/exchange.ts'
import { acceptedConsent, createAcceptedConsent, NATIONAL_SAMPLES, payers } from './consents.ts'
import { nextWeekday, pollUntil, type Subject, subject, today } from './subject.ts'

/** What an order needs: a consent, one of its accounts, and who is paid. */
export type Ordering = {
  readonly consentId: string
  readonly account: Account
  readonly creditor: { readonly bban: string; readonly name: string }
  /** The accounts of the consent. */
  readonly accounts: readonly Account[]
}

/** Under the consent of the run. */
export const ordering: Subject<Ordering> = subject(async (context) => {
  const { account, creditorAccount, isSandbox } = context.target
  const consentId = await acceptedConsent(context)
  if (!isSandbox && creditorAccount === undefined) {
    throw new NotApplicable('It orders a payment: outside a sandbox name the receiver’s account with --to')
  }
  return await orderingUnder(context, consentId, account)
})

/** Under a consent of its own in each country of the sandbox. */
export const orderingByCountry: Subject<ReadonlyMap<string, Ordering>> = subject(async (context) => {
  if (!context.target.isSandbox) {
    throw new NotApplicable('It needs a consent in each country, which only a sandbox gives without a user')
  }
  const found = new Map<string, Ordering>()
  const main = await ordering(context)
  for (const [country, payer] of await payers(context)) {
    // A bank may end a consent when its user gives another one.
    const isMain = country === main.account.country
    found.set(country, isMain ? main : await orderingUnder(context, await createAcceptedConsent(context, payer)))
  }
  return found
})

async function orderingUnder(context: CheckContext, consentId: string, bban?: string): Promise<Ordering> {
  const { accounts } = await context.succeed('listAccounts', { consentId })
  const payable = accounts.filter(({ products }) => products.includes('PAYMENT_DOMESTIC'))
  const account = bban === undefined ? payable[0] : payable.find((candidate) => candidate.bban === bban)
  if (account === undefined) {
    throw new NotApplicable(
      bban === undefined ? 'The consent has no account that pays' : `${bban} is not on the consent, or cannot pay`,
    )
  }
  const sample = NATIONAL_SAMPLES[account.country]?.creditor
  const { creditorAccount = sample?.bban } = context.target
  if (creditorAccount === undefined) {
    throw new NotApplicable(`No receiver is known in ${account.country}: name one with --to`)
  }
  return { consentId, account, accounts, creditor: { bban: creditorAccount, name: sample?.name ?? 'Conformance Test' } }
}

/** Names an order or a key of this run; no other run has used it. */
export function uniqueName(): string {
  return `CONFORM-${randomBytes(8).toString('hex').toUpperCase()}`
}

const CENTS = 100
let cents = randomBytes(1)[0] ?? 0

/** An order below 2.00 that is due today; the amount differs from that of the last one. */
export async function domesticOrder(
  context: CheckContext,
  { account, creditor }: Ordering,
  changes: Partial<DomesticPayment> = {},
): Promise<DomesticPayment> {
  cents = (cents + 1) % CENTS
  return {
    metadata: { endToEndId: uniqueName() },
    from: {
      account: { type: 'bban', bban: account.bban },
      contactInformation: { name: account.ownerName ?? 'Conformance Test' },
      currency: account.currency,
      organizationNumber: account.organizationNumber,
    },
    to: { account: { type: 'bban', bban: creditor.bban }, contactInformation: { name: creditor.name } },
    amount: { amount: `1.${String(cents).padStart(2, '0')}`, currency: account.currency },
    dueDate: (await today(context, account.country)).toString(),
    remittanceInformation: { type: 'message', value: 'Test 1' },
    ...changes,
  }
}

export type Ordered = {
  readonly order: DomesticPayment
  readonly initiated: PaymentInitiated
  readonly consentId: string
}

/** Orders a payment, which the bank accepts. */
export async function orderPayment(context: CheckContext, changes: Partial<DomesticPayment> = {}): Promise<Ordered> {
  const basis = await ordering(context)
  const { consentId } = basis
  const order = await domesticOrder(context, basis, changes)
  return { order, consentId, initiated: await context.succeed('initiateDomesticPayment', { consentId, body: order }) }
}

/** A payment that is never signed, for checks that change nothing of it. */
export const unsignedPayment: Subject<Ordered> = subject(async (context) => await orderPayment(context))

export const shownPayment = ({ succeed }: CheckContext, { initiated }: Ordered) =>
  succeed('getPayment', { params: { paymentId: initiated.paymentId } })

/** The payment once its status is one of these. */
export async function shownAs(context: CheckContext, ordered: Ordered, ...statuses: readonly string[]) {
  const payment = await pollUntil(
    context,
    () => shownPayment(context, ordered),
    ({ paymentStatus }) => statuses.includes(paymentStatus.status),
  )
  const { status } = payment.paymentStatus
  require(statuses.includes(status), `The payment is ${status}, expected ${statuses.join(' or ')}`)
  return payment
}

/** Throws `NotApplicable` unless the user and the bank can be simulated. */
export function requireSandbox({ target }: CheckContext): void {
  if (!target.isSandbox) {
    throw new NotApplicable('It needs a user or a bank, which only the operations of a sandbox simulate')
  }
}

/** Starts an approval, and lets the sandbox's user decide on it. */
export async function decideApproval(
  context: CheckContext,
  { consentId, initiated }: Ordered,
  decision: 'sign' | 'reject' | 'leave',
) {
  const { callbackUrl } = context.target
  const body = { payments: [initiated.paymentId], callbackUrl }
  const started = await context.succeed('approvePayments', { consentId, body })
  const params = { approvalId: started.id, decision }
  return { started, result: await context.succeed('decideSandboxApproval', { params, body: {} }) }
}

export async function signCancellation({ succeed }: CheckContext, cancellationId: string): Promise<void> {
  await succeed('decideSandboxCancellation', { params: { cancellationId, decision: 'sign' }, body: {} })
}

export const signedPayment: Subject<Ordered> = subject(orderAndSign)

async function orderAndSign(context: CheckContext): Promise<Ordered> {
  requireSandbox(context)
  const ordered = await orderPayment(context)
  const { result } = await decideApproval(context, ordered, 'sign')
  const outcome = String(result.outcome)
  require(outcome === 'success', `The sandbox's user signed the payment, and the outcome is ${outcome}`)
  return ordered
}

export const settledPayment: Subject<Ordered> = subject(async (context) => {
  const ordered = await orderAndSign(context)
  const { paymentId } = ordered.initiated
  await context.succeed('stepSandboxPayment', { params: { paymentId, step: 'settle' }, body: {} })
  return ordered
})

export type OrderedPayroll = {
  readonly consentId: string
  readonly request: PayrollRequest
  readonly payrollId: string
  /** The response to the order. */
  readonly transactions: readonly { readonly endToEndId: string; readonly payrollStatus: string }[]
}

const HOLIDAYS_IN_SUCCESSION_MAX = 6

/** A payroll with different amounts, which is due on the next weekday, or so many days later. */
export async function payrollRequest(context: CheckContext, laterDays = 0): Promise<PayrollRequest> {
  const { account, creditor } = await ordering(context)
  const day = (await nextWeekday(context, account.country)).add({ days: laterDays })
  return {
    from: { account: { bban: account.bban }, name: account.ownerName ?? 'Conformance Test' },
    transactions: ['1.25', '1.50'].map((amount) => ({
      metadata: { endToEndId: uniqueName() },
      name: creditor.name,
      account: { bban: creditor.bban },
      amount: { amount, currency: account.currency },
      remittanceInformation: { type: 'message', value: 'Test 1' },
    })),
    dueDate: day.toString(),
    purposeCode: 'SALA',
  }
}

/** Orders a payroll on the next day on which its bank is open. */
export async function orderPayroll(context: CheckContext): Promise<OrderedPayroll> {
  const { consentId } = await ordering(context)
  for (let days = 0; ; days++) {
    const request = await payrollRequest(context, days)
    const answer = await context.call('initiatePayroll', { consentId, body: request })
    if (answer.status === 200) {
      const { payrollId, transactions } = Object(answer.body)
      return { consentId, request, payrollId: String(payrollId), transactions }
    }
    const errors = reportedErrors(answer.body)
    if (answer.status === 403 || errors.some(({ code }) => code === 'UNSUPPORTED_PRODUCT_BY_BANK')) {
      throw new NotApplicable('The partner may not order payrolls, or its bank does not take them')
    }
    if (days === HOLIDAYS_IN_SUCCESSION_MAX || !errors.some(({ code }) => code === 'InvalidDueDate')) {
      throw new Violation([`${describeAnswer(answer)}, expected 200: ${answer.text.slice(0, 300)}`])
    }
  }
}

/** A payroll that no check changes. */
export const openPayroll = subject(orderPayroll)
