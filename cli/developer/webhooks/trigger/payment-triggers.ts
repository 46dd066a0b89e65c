/** The triggers of events about payments and approvals: orders at Fjordbanken whose amount selects what happens. */
import { randomUUID } from 'node:crypto'
import { invoice } from '../../../../contract/examples/demo-fixture.ts'
import type { EventTypeOf } from '../../../../contract/webhooks/event-types.ts'
import { bankDay } from '../../context.ts'
import type { Subject, Trigger, TriggerStage } from './trigger-stage.ts'

/** These amounts select the outcome at the sandbox's banks; `docs/sandbox.md` lists them. */
export const OUTCOME_AMOUNTS = {
  paid: '125.00',
  completedAtOnce: '7701.00',
  rejectedAtOnce: '7702.00',
  cancelledByBank: '7704.00',
  secondSigner: '7711.00',
  secondSignerDeclines: '7712.00',
  smsConfirmation: '7713.00',
} as const

export type OutcomeAmount = (typeof OUTCOME_AMOUNTS)[keyof typeof OUTCOME_AMOUNTS]

export const paymentTriggers: Readonly<Record<EventTypeOf<'PAYMENT_STATUS'>, Trigger>> = {
  PAYMENT_STATUS_UNSIGNED: {
    how: 'orders a payment that two users must sign; one signs, the other one rejects it',
    run: async (stage) => {
      const ordered = await signedPayment(stage, OUTCOME_AMOUNTS.secondSigner)
      return await step(stage, ordered, 'take-back')
    },
  },
  PAYMENT_STATUS_IN_PROGRESS: {
    how: 'orders and signs a payment',
    run: (stage) => signedPayment(stage, OUTCOME_AMOUNTS.paid),
  },
  PAYMENT_STATUS_REJECTED: {
    how: 'orders and signs a payment that the bank rejects',
    run: (stage) => signedPayment(stage, OUTCOME_AMOUNTS.rejectedAtOnce),
  },
  PAYMENT_STATUS_COMPLETED: {
    how: 'orders and signs a payment that the bank books at once',
    run: (stage) => signedPayment(stage, OUTCOME_AMOUNTS.completedAtOnce),
  },
  PAYMENT_STATUS_CANCELLED: {
    how: 'orders a payment, which its user cancels in the online bank',
    run: async (stage) => await step(stage, await orderPayment(stage), 'cancel'),
  },
  PAYMENT_STATUS_CUSTOMER_ACTION_REQUIRED: {
    how: 'orders and signs a payment that the bank holds until an SMS is confirmed',
    run: (stage) => signedPayment(stage, OUTCOME_AMOUNTS.smsConfirmation),
  },
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

async function orderPayment(stage: TriggerStage, amount: OutcomeAmount = OUTCOME_AMOUNTS.paid) {
  const { havn, psu, connection, note } = stage
  const { paymentId } = await havn.initiateDomesticPayment({
    consentId: await stage.consentId(),
    psu,
    idempotencyKey: randomUUID(),
    body: {
      ...invoice,
      metadata: { endToEndId: uniqueReference() },
      amount: { ...invoice.amount, amount },
      dueDate: (await bankDay(connection, 'NO')).toString(),
    },
  })
  note(`Ordered payment ${paymentId} of ${amount} ${invoice.amount.currency}`)
  return { paymentId }
}

async function signedPayment(stage: TriggerStage, amount: OutcomeAmount) {
  const ordered = await orderPayment(stage, amount)
  await decide(stage, ordered.paymentId, 'sign')
  return ordered
}

async function decidedApproval(stage: TriggerStage, decision: 'sign' | 'reject' | 'leave'): Promise<Subject> {
  const { paymentId } = await orderPayment(stage)
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

/** For endToEndIds and messages: some banks reject an order that equals another one. */
export function uniqueReference(): string {
  return `trigger-${randomUUID().slice(0, 18)}`
}
