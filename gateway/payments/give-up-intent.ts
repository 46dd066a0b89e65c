/** Ends an intent that the bank did not take, or says of it that nobody knows whether the bank did. */
import type { Context } from '../context.ts'
import { raiseTask, settleTask } from '../operators/raise-task.ts'
import { dropIntent, markUnknown } from './initiation-store.ts'
import type { Intent } from './intent.ts'
import { isOutcomeUnknown } from './payment.ts'
import { findPayment } from './payment-store.ts'

/** A refused order leaves a line in the log and nothing else; an unknown one leaves a task for the operator. */
export async function giveUp(
  context: Context,
  { partnerId, paymentId, bankRequestId }: Pick<Intent, 'partnerId' | 'paymentId' | 'bankRequestId'>,
  how: 'refused' | 'unknown',
  cause: unknown,
): Promise<void> {
  const reason = cause instanceof Error ? cause.message : String(cause)
  context.log.warn({ paymentId, bankRequestId, how, reason }, 'a bank did not take an order')
  if (how === 'refused') {
    await dropIntent(context.database, { partnerId, id: paymentId })
  } else {
    await leaveToOperators(context, { partnerId, paymentId }, { bankRequestId, reason })
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
