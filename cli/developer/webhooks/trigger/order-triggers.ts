/** The triggers of events about orders: payments at Fjordbanken and payrolls at Havbanken, whose amount selects what happens. */
import { randomUUID } from 'node:crypto'
import { companyName, invoice, organizationNumber } from '../../../../contract/examples/demo-fixture.ts'
import type { EventTypeOf } from '../../../../contract/webhooks/event-types.ts'
import { calendarOf, nextBankDay } from '../../../../gateway/countries/bank-days.ts'
import { bankDay } from '../../context.ts'
import type { PossibleTrigger, Subject, Trigger, TriggerStage } from './trigger-stage.ts'

/** These amounts select the outcome at the sandbox's banks; `docs/sandbox.md` lists them. */
const OUTCOME_AMOUNTS = {
  paid: '125.00',
  completedAtOnce: '7701.00',
  rejectedAtOnce: '7702.00',
  cancelledByBank: '7704.00',
  secondSigner: '7711.00',
  secondSignerDeclines: '7712.00',
  smsConfirmation: '7713.00',
} as const
type Outcome = keyof typeof OUTCOME_AMOUNTS

/** Fjordbanken does not accept payrolls. */
const HAVBANKEN = { bic: 'HAVBNO22', userId: 'KN12345' } as const
const DEBTOR_ACCOUNT = '80531100011'
const CREDITOR_ACCOUNT = '80531200016'

/** The outcomes that come by themselves a minute after signing. */
const AFTER_A_MINUTE = { advance: 'PT2M' } as const

export const paymentTriggers: Readonly<Record<EventTypeOf<'PAYMENT_STATUS'>, Trigger>> = {
  PAYMENT_STATUS_UNSIGNED: {
    how: 'orders a payment that two users must sign; one signs, the other one rejects it',
    run: async (stage) => await step(stage, await signedPayment(stage, 'secondSigner'), 'take-back'),
  },
  PAYMENT_STATUS_IN_PROGRESS: payment('orders and signs a payment', 'paid'),
  PAYMENT_STATUS_REJECTED: payment('orders and signs a payment that the bank rejects', 'rejectedAtOnce'),
  PAYMENT_STATUS_COMPLETED: payment('orders and signs a payment that the bank books at once', 'completedAtOnce'),
  PAYMENT_STATUS_CANCELLED: {
    how: 'orders a payment, which its user cancels in the online bank',
    run: async (stage) => await step(stage, await orderPayment(stage, 'paid'), 'cancel'),
  },
  PAYMENT_STATUS_CUSTOMER_ACTION_REQUIRED: payment(
    'orders and signs a payment that the bank holds until an SMS is confirmed',
    'smsConfirmation',
  ),
}

export const approvalTriggers: Readonly<Record<EventTypeOf<'APPROVAL_STATUS'>, Trigger>> = {
  APPROVAL_STATUS_ACCEPTED: {
    how: 'orders and signs a payment',
    run: (stage) => decidedApproval(stage, 'sign'),
  },
  APPROVAL_STATUS_REJECTED: {
    how: 'orders a payment, whose user rejects it at the bank',
    run: (stage) => decidedApproval(stage, 'reject'),
  },
  APPROVAL_STATUS_CANCELLED: {
    how: 'orders a payment, whose user leaves the page of the bank',
    run: (stage) => decidedApproval(stage, 'leave'),
  },
}

/** By the status of the payroll, which is that of its one transaction. */
const PAYROLLS = {
  UNSIGNED: payroll(
    'orders a payroll that two users must sign; one signs, the other one rejects it; moves the clock by two minutes',
    'secondSignerDeclines',
    AFTER_A_MINUTE,
  ),
  IN_PROGRESS: payroll('orders and signs a payroll', 'paid'),
  REJECTED: payroll('orders and signs a payroll whose only salary the bank rejects', 'rejectedAtOnce'),
  COMPLETED: payroll('orders and signs a payroll that the bank books at once', 'completedAtOnce'),
  CANCELLED: payroll(
    'orders and signs a payroll that the bank cancels; moves the clock by two minutes',
    'cancelledByBank',
    AFTER_A_MINUTE,
  ),
  CUSTOMER_ACTION_REQUIRED: payroll(
    'orders and signs a payroll that the bank holds until an SMS is confirmed',
    'smsConfirmation',
  ),
}

export const payrollTriggers: Readonly<
  Record<EventTypeOf<'PAYROLL_STATUS'> | EventTypeOf<'PAYROLL_TRANSACTION_STATUS'>, Trigger>
> = {
  PAYROLL_STATUS_UNSIGNED: PAYROLLS.UNSIGNED,
  PAYROLL_STATUS_IN_PROGRESS: PAYROLLS.IN_PROGRESS,
  PAYROLL_STATUS_REJECTED: PAYROLLS.REJECTED,
  PAYROLL_STATUS_COMPLETED: PAYROLLS.COMPLETED,
  PAYROLL_STATUS_CANCELLED: PAYROLLS.CANCELLED,
  PAYROLL_STATUS_CUSTOMER_ACTION_REQUIRED: PAYROLLS.CUSTOMER_ACTION_REQUIRED,
  PAYROLL_TRANSACTION_STATUS_UNSIGNED: PAYROLLS.UNSIGNED,
  PAYROLL_TRANSACTION_STATUS_IN_PROGRESS: PAYROLLS.IN_PROGRESS,
  PAYROLL_TRANSACTION_STATUS_REJECTED: PAYROLLS.REJECTED,
  PAYROLL_TRANSACTION_STATUS_COMPLETED: PAYROLLS.COMPLETED,
  PAYROLL_TRANSACTION_STATUS_CANCELLED: PAYROLLS.CANCELLED,
  PAYROLL_TRANSACTION_STATUS_CUSTOMER_ACTION_REQUIRED: PAYROLLS.CUSTOMER_ACTION_REQUIRED,
}

function payment(how: string, outcome: Outcome): PossibleTrigger {
  return { how, run: (stage) => signedPayment(stage, outcome) }
}

function payroll(how: string, outcome: Outcome, afterwards?: { readonly advance: string }): PossibleTrigger {
  return {
    how,
    run: async (stage) => {
      const subject = await signedPayroll(stage, OUTCOME_AMOUNTS[outcome])
      if (afterwards !== undefined) {
        await stage.pass(afterwards)
      }
      return subject
    },
  }
}

async function orderPayment(stage: TriggerStage, outcome: Outcome) {
  const { havn, psu, note } = stage
  const amount = OUTCOME_AMOUNTS[outcome]
  const { paymentId } = await havn.initiateDomesticPayment({
    consentId: await stage.consentId(),
    psu,
    idempotencyKey: randomUUID(),
    body: {
      ...invoice,
      metadata: { endToEndId: uniqueReference() },
      amount: { ...invoice.amount, amount },
      dueDate: (await bankDay(stage, 'NO')).toString(),
    },
  })
  note(`Ordered payment ${paymentId} of ${amount} ${invoice.amount.currency}`)
  return { paymentId }
}

async function signedPayment(stage: TriggerStage, outcome: Outcome) {
  const ordered = await orderPayment(stage, outcome)
  await decide(stage, ordered.paymentId, 'sign')
  return ordered
}

async function decidedApproval(stage: TriggerStage, decision: 'sign' | 'reject' | 'leave'): Promise<Subject> {
  const { paymentId } = await orderPayment(stage, 'paid')
  return { approvalId: await decide(stage, paymentId, decision) }
}

/** The user's decision at the bank on a new approval of the payment. Returns the approval's id. */
export async function decide(
  stage: TriggerStage,
  paymentId: string,
  decision: 'sign' | 'reject' | 'leave',
): Promise<string> {
  const { havn, psu, callbackUrl, note } = stage
  const body = { payments: [paymentId], callbackUrl }
  const { id } = await havn.approvePayments({ consentId: await stage.consentId(), psu, body })
  const { outcome } = await havn.decideSandboxApproval({ params: { approvalId: id, decision }, body: {} })
  note(`Approval ${id}: ${outcome ?? 'not decided yet'}`)
  return id
}

async function step({ havn, note }: TriggerStage, { paymentId }: { paymentId: string }, name: 'take-back' | 'cancel') {
  const { status } = await havn.stepSandboxPayment({ params: { paymentId, step: name }, body: {} })
  note(`At the bank: ${name}; the payment is ${status}`)
  return { paymentId }
}

async function signedPayroll(stage: TriggerStage, amount: string): Promise<Subject> {
  const { havn, psu, callbackUrl, note } = stage
  const consentId = await stage.consentId(HAVBANKEN)
  const body = await payrollOf(stage, amount)
  const { payrollId } = await havn.initiatePayroll({ consentId, psu, idempotencyKey: randomUUID(), body })
  note(`Ordered payroll ${payrollId} with one salary of ${amount} ${invoice.amount.currency}`)
  const { id } = await havn.approvePayrolls({ consentId, psu, body: { payrolls: [payrollId], callbackUrl } })
  const { outcome } = await havn.decideSandboxApproval({ params: { approvalId: id, decision: 'sign' }, body: {} })
  note(`Approval ${id}: ${outcome ?? 'not decided yet'}`)
  return { payrollId }
}

async function payrollOf(stage: TriggerStage, amount: string) {
  const reference = uniqueReference()
  return {
    from: { account: { bban: DEBTOR_ACCOUNT }, name: companyName, organizationNumber },
    transactions: [
      {
        metadata: { endToEndId: reference },
        name: invoice.to.contactInformation.name,
        account: { bban: CREDITOR_ACCOUNT },
        amount: { amount, currency: invoice.amount.currency },
        remittanceInformation: { type: 'message' as const, value: reference },
      },
    ],
    // Salaries are due on bank days.
    dueDate: nextBankDay([calendarOf('NO')], await bankDay(stage, 'NO')).toString(),
    purposeCode: 'SALA' as const,
  }
}

/** For endToEndIds and messages: some banks reject an order that equals another one. */
export function uniqueReference(): string {
  return `trigger-${randomUUID().slice(0, 18)}`
}
