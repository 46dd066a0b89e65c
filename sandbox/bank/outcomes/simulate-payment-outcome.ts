/** Executes the scripted outcome of a payment, one due step after the other. */
import type { BankTransaction, Context } from '../context.ts'
import { requireBankByBic } from '../fixture-lookup.ts'
import type { Payment } from '../payments/payment.ts'
import { deletePayment, lockPayment, type PaymentChange, updatePayment } from '../payments/payment-store.ts'
import { revokeSignatures } from '../payments/revoke-signatures.ts'
import type { PushNotification } from '../push-notifications.ts'
import { nextScriptStep, outcomeOfPayment, scriptStepsOf, stepDueAt } from './script-steps.ts'

type Notices = readonly PushNotification[]
type PaymentAction = (
  context: Context,
  transaction: BankTransaction,
  payment: Payment,
  at: Temporal.Instant,
) => Promise<Notices>

/** The context of a step; `usual` are the bank's actions for any payment. */
export type StepContext = {
  readonly context: Context
  readonly transaction: BankTransaction
  readonly at: Temporal.Instant
  readonly usual: {
    readonly book: PaymentAction
    readonly sign: PaymentAction
    /** Reverses the booking. */
    readonly bookBack: (...deal: Parameters<PaymentAction>) => Promise<void>
  }
}

/** The minimum number of signatures of the script; one once signatures were revoked. */
export function scriptedSignatureCount(payment: Payment): number {
  const signers = payment.signatures_revoked_at === null ? outcomeOfPayment(payment)?.script.signers : undefined
  return signers ?? 1
}

/** The change after a signature that is not the last. */
export function changeAfterPartialSignature(stage: StepContext, payment: Payment): PaymentChange {
  const [first] = outcomeOfPayment(payment)?.script.partlySigned ?? []
  const dueAt = first && stepDueAt(requireBankByBic(stage.context.fixture, payment.bank), first, stage.at)
  return first === undefined ? {} : { script_step: 0, due_at: dueAt?.toString() ?? null }
}

/** Starts the script of a fully signed payment; null when its amount selects none. */
export async function simulateFullSignature(stage: StepContext, payment: Payment): Promise<Notices | null> {
  const change = { signed_at: stage.at.toString(), script_step: 0, due_at: null }
  const signed = { ...payment, signed_at: stage.at, script_step: 0 }
  if (scriptStepsOf(signed).length === 0) {
    return null
  }
  await updatePayment(stage.transaction, payment, change, stage.at)
  return await simulateStep(stage, signed)
}

/** Executes the next step of the script; null when there is none, and the usual rules apply. */
export async function simulateStep(stage: StepContext, payment: Payment): Promise<Notices | null> {
  const { context, transaction, at, usual } = stage
  const action = nextScriptStep(payment)?.action
  const change = action && nextStepColumns(stage, payment)
  switch (action?.type) {
    case undefined:
      return null
    case 'status': {
      const { status, text = null, funds = null } = action
      const shown = { ...change, status, status_text: text, funds_available: funds }
      return await updatePayment(transaction, payment, shown, at)
    }
    case 'book': {
      const notifications = await usual.book(context, transaction, payment, at)
      // Without sufficient funds the bank waits for them as with any payment.
      const isBooked = (await lockPayment(transaction, payment.id))?.due_at === null
      const after: PaymentChange = isBooked ? { ...change } : { status: 'ACSP', script_step: null }
      return [...notifications, ...(await updatePayment(transaction, payment, after, at))]
    }
    case 'return':
      await usual.bookBack(context, transaction, payment, at)
      return await updatePayment(transaction, payment, { ...change, status: 'RJCT', status_text: action.text }, at)
    case 'sign':
      return await usual.sign(context, transaction, payment, at)
    case 'unsign':
      return await revokeSignatures(context, transaction, payment, { at, text: action.text })
    case 'forget':
      await deletePayment(transaction, payment)
      return []
  }
}

/** The number of the executed step, and when the next one is due. */
function nextStepColumns({ context, at }: StepContext, payment: Payment): PaymentChange {
  const taken = (payment.script_step ?? 0) + 1
  const following = scriptStepsOf(payment)[taken]
  const dueAt = following && stepDueAt(requireBankByBic(context.fixture, payment.bank), following, at)
  return { script_step: taken, due_at: dueAt?.toString() ?? null }
}
