/** Ends an intent that the bank did not take, or says of it that nobody knows whether the bank did. */
import { BankRefusal } from '../../banks/connector/bank-error.ts'
import type { Context } from '../../context.ts'
import { addToTask, raiseTask, settleTask } from '../../operators/raise-task.ts'
import { isOutcomeUnknown } from '../payment.ts'
import { findPayment } from '../payment-store.ts'
import type { Intent } from './submission.ts'
import { dropIntent, markUnknown } from './submission-store.ts'

/** What is given up; with the bank's id when the bank did take it and only that could not be kept. */
type GivenUp = Pick<Intent, 'partnerId' | 'paymentId' | 'payrollId' | 'bankRequestId'> & {
  readonly bankPaymentId?: string
}

/** A refused order leaves a line in the log and nothing else; an unknown one leaves a task for the operator. */
export async function giveUp(
  context: Context,
  { partnerId, paymentId, payrollId, bankRequestId, bankPaymentId }: GivenUp,
  how: 'refused' | 'unknown',
  cause: unknown,
): Promise<void> {
  const reason = reasonOf(cause, payrollId !== undefined)
  context.log.warn({ paymentId, bankRequestId, how, reason }, 'a bank did not take an order')
  if (how === 'refused') {
    await forget(context, { partnerId, paymentId }, reason)
  } else {
    await leaveToOperators(context, { partnerId, paymentId }, { bankRequestId, reason })
    if (bankPaymentId !== undefined) {
      // The task may be recovery's, which does not know it.
      const subject = { partnerId, kind: 'UnknownOutcome', subjectId: paymentId } as const
      await addToTask(context, { ...subject, detail: { bankPaymentId } })
    }
  }
}

/** Of a payroll refusals are in words of ours by now; what failed otherwise may repeat what was sent, its name does not. */
function reasonOf(cause: unknown, isOfPayroll: boolean): string {
  if (!(cause instanceof Error)) {
    return String(cause)
  }
  return isOfPayroll && !(cause instanceof BankRefusal) ? cause.name : cause.message
}

/** A bank's no that comes after recovery gave the order up is a no all the same. */
async function forget(
  context: Context,
  { partnerId, paymentId }: Pick<Intent, 'partnerId' | 'paymentId'>,
  reason: string,
): Promise<void> {
  const before = await dropIntent(context.database, { partnerId, id: paymentId })
  if (before === 'unknown') {
    const subject = { partnerId, kind: 'UnknownOutcome', subjectId: paymentId } as const
    await settleTask(context, subject, `the bank refused the order late: ${reason}`)
  }
}

/** The task comes first: a process that dies in between leaves the intent to recovery, which finds the task there. */
async function leaveToOperators(
  context: Context,
  { partnerId, paymentId }: Pick<Intent, 'partnerId' | 'paymentId'>,
  detail: Readonly<Record<string, string>>,
): Promise<void> {
  const subject = { partnerId, kind: 'UnknownOutcome', subjectType: 'payment', subjectId: paymentId } as const
  await raiseTask(context, { ...subject, detail })
  if (!(await markUnknown(context.database, { partnerId, id: paymentId }))) {
    const payment = await findPayment(context.database, { partnerId, id: paymentId })
    if (payment === undefined || !isOutcomeUnknown(payment)) {
      await settleTask(context, subject, 'the outcome became known meanwhile')
    }
  }
}
