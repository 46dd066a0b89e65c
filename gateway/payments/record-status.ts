/** Records what a bank says of a payment: the only writer of statuses. Nothing that a bank says is vetoed. */
import type { StatusObservation } from '../banks/connector.ts'
import type { Context } from '../context.ts'
import { raiseTask } from '../operators/raise-task.ts'
import { isHeld, isUsualChange, type Payment, statusTable } from './payment.ts'
import { findPayment } from './payment-store.ts'
import { nextPoll } from './poll-schedule.ts'
import { postponePoll, type StatusToRecord, writeStatus } from './status-store.ts'

/**
 * Records one reading and answers the payment as it is then. An unknown word keeps the status as it was.
 * A reading that was overtaken by another is dropped, because nobody can tell which of the two is older: the payment is
 * read again at once. With `outcome` it is the word of people, and being overtaken is an error.
 */
export async function recordStatus(
  context: Context,
  payment: Payment,
  observation: StatusObservation,
  outcome?: 'void',
): Promise<Payment> {
  const settled = outcome === undefined ? {} : { outcome, pollAt: null }
  const next = { ...statusAfter(context, payment, observation), ...settled }
  const changed = isChange(payment, next)
  if (!(await writeStatus(context.database, payment, next, changed))) {
    return await overtaken(context, payment, outcome)
  }
  if (!isUsualChange(payment.status, next.status)) {
    await raiseUnusual(context, payment, next)
  }
  const changedAt = changed ? next.at : payment.changedAt
  return { ...payment, ...next, statusAt: next.at, changedAt, unreadSince: null }
}

async function overtaken(context: Context, payment: Payment, outcome: 'void' | undefined): Promise<Payment> {
  const kept = await findPayment(context.database, payment)
  if (kept === undefined || outcome !== undefined) {
    throw new Error(`Payment ${payment.id} was changed by somebody else meanwhile`)
  }
  if (isHeld(kept)) {
    await postponePoll(context.database, kept, { pollAt: context.clock.now(), pollStep: 0, unreadSince: null })
  }
  return kept
}

/** What is to be kept after a reading, and when the next one comes. */
function statusAfter(context: Context, payment: Payment, observation: StatusObservation): StatusToRecord {
  const at = context.clock.now()
  const status = observation.status ?? payment.status
  const statusReason = observation.status === null ? payment.statusReason : observation.statusReason
  const isSame = status === payment.status && statusReason === payment.statusReason
  const pollStep = isSame ? payment.pollStep + 1 : 0
  const signed = signedAfter(payment, observation)
  const finalSince = statusTable[status].final ? (isSame ? (payment.finalSince ?? at) : at) : null
  return {
    at,
    status,
    statusReason,
    statusReasonText: observation.statusReasonText,
    bankStatus: observation.bankStatus,
    signed,
    pollStep,
    finalSince,
    pollAt: nextPoll({ status, signed, pollStep, finalSince }, at),
  }
}

/** The bank knows of signers that we do not: a signature it still waits for takes ours back. */
function signedAfter({ signed }: Payment, { status, statusReason }: StatusObservation): boolean {
  return statusReason === 'PartlySigned' ? false : signed || status === 'InProgress' || status === 'Completed'
}

function isChange(before: Payment, next: StatusToRecord): boolean {
  return (
    before.status !== next.status ||
    before.statusReason !== next.statusReason ||
    before.statusReasonText !== next.statusReasonText
  )
}

async function raiseUnusual(context: Context, before: Payment, next: StatusToRecord): Promise<void> {
  await raiseTask(context, {
    partnerId: before.partnerId,
    kind: 'UnexpectedStatus',
    subjectType: 'payment',
    subjectId: before.id,
    detail: { bank: before.bic, from: before.status, to: next.status, bankStatus: next.bankStatus },
  })
}
