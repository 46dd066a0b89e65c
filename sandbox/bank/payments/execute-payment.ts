/** Executes a payment: accepted once signed, started on its day, then booked or rejected, unless its outcome is scripted. */
import { findRow } from '../../rows.ts'
import { bookingRun, businessDay, executionDay, startOfDay } from '../bank-calendar.ts'
import type { Context } from '../context.ts'
import { accountOf, requireBankByBic, signaturesRequired } from '../fixture-lookup.ts'
import { nextScriptStep, outcomeOfPayment, scriptStepsOf, stepDueAt } from '../outcomes/script-steps.ts'
import { isExecuting, isFinalStatus } from '../xs2a/transaction-status.ts'
import { bookPayment, returnPayment } from './book-payment.ts'
import { receivingAccount } from './parse/resolve-parties.ts'
import type { Payment } from './payment.ts'
import { deletePayment, type PaymentChange, updatePayment } from './payment-store.ts'
import { revokeSignatures } from './signatures.ts'

const EXPIRED_TEXT = 'The payment was not signed in time'

/** Records a signature; the last one starts the execution. `signers` are all users who have signed by now. */
export async function acceptSignature(
  context: Context,
  payment: Payment,
  signed: { readonly signers: number; readonly at: Temporal.Instant },
): Promise<void> {
  const { signers, at } = signed
  const account = accountOf(context.fixture, payment.bank, payment.debtor)
  const requested = account === undefined ? 1 : signaturesRequired(context.fixture, account)
  if (signers < Math.max(requested, scriptedSignatureCount(payment))) {
    const change = { status: 'PATC', ...changeAfterPartialSignature(context, payment, at) } as const
    return await updatePayment(context, payment, change, at)
  }
  if (!(await simulateFullSignature(context, payment, at))) {
    await startExecution(context, payment, at)
  }
}

/** The minimum number of signatures of the script; one once signatures were revoked. */
function scriptedSignatureCount(payment: Payment): number {
  const signers = payment.signatures_revoked_at === null ? outcomeOfPayment(payment)?.script.signers : undefined
  return signers ?? 1
}

function changeAfterPartialSignature({ fixture }: Context, payment: Payment, at: Temporal.Instant): PaymentChange {
  const [first] = outcomeOfPayment(payment)?.script.partlySigned ?? []
  const dueAt = first && stepDueAt(requireBankByBic(fixture, payment.bank), first, at)
  return first === undefined ? {} : { script_step: 0, due_at: dueAt?.toString() ?? null }
}

/** Starts the script of a fully signed payment; false when its amount selects none. */
async function simulateFullSignature(context: Context, payment: Payment, at: Temporal.Instant): Promise<boolean> {
  const signed = { ...payment, signed_at: at, script_step: 0 }
  if (scriptStepsOf(signed).length === 0) {
    return false
  }
  await updatePayment(context, payment, { signed_at: at.toString(), script_step: 0, due_at: null }, at)
  return await simulateStep(context, signed, at)
}

/** Starts the execution on its day; until then the payment waits. After the cut-off time it is executed later. */
async function startExecution(context: Context, payment: Payment, at: Temporal.Instant): Promise<void> {
  const bank = requireBankByBic(context.fixture, payment.bank)
  const isInside = receivingAccount(context.fixture, bank, payment)?.bic === bank.bic
  const requestedOn = payment.requested_on ?? payment.execution_on
  const executionOn = executionDay(bank, { rail: payment.rail, requestedOn, isInside }, at)
  const isDue = Temporal.PlainDate.compare(executionOn, businessDay(bank, at)) <= 0
  const change: PaymentChange = isDue
    ? { status: 'ACSP', due_at: at.add({ seconds: bank.settlement.sameDaySeconds }).toString() }
    : { status: bank.waitingStatus, due_at: startOfDay(bank, executionOn).toString() }
  const signed = { signed_at: at.toString(), execution_on: executionOn.toString() }
  await updatePayment(context, payment, { ...change, ...signed }, at)
}

/** Executes the step of a payment that is due at an instant. */
export async function advancePayment(context: Context, payment: Payment, at: Temporal.Instant): Promise<void> {
  if (await simulateStep(context, payment, at)) {
    return
  }
  if (isFinalStatus(payment.status)) {
    return await updatePayment(context, payment, { due_at: null }, at)
  }
  if (isExecuting(payment.status)) {
    return await bookPayment(context, payment, at)
  }
  if (payment.signed_at !== null) {
    const bank = requireBankByBic(context.fixture, payment.bank)
    const dueAt = bookingRun(bank, payment.execution_on).toString()
    return await updatePayment(context, payment, { status: 'ACSP', due_at: dueAt }, at)
  }
  const expired = { status: 'RJCT', status_text: EXPIRED_TEXT, lapsed: true, due_at: null } as const
  await updatePayment(context, payment, expired, at)
}

/** Executes the next step of the script; false when there is none, and the usual rules apply. */
export async function simulateStep(context: Context, payment: Payment, at: Temporal.Instant): Promise<boolean> {
  const action = nextScriptStep(payment)?.action
  const change = action && nextStepColumns(context, payment, at)
  switch (action?.type) {
    case undefined:
      return false
    case 'status': {
      const { status, text = null, funds = null } = action
      await updatePayment(context, payment, { ...change, status, status_text: text, funds_available: funds }, at)
      return true
    }
    case 'book': {
      await bookPayment(context, payment, at)
      // Without sufficient funds the bank waits for them as with any payment.
      const isBooked = (await findRow(context, 'payments', { id: payment.id }, { lock: true }))?.due_at === null
      const after: PaymentChange = isBooked ? { ...change } : { status: 'ACSP', script_step: null }
      await updatePayment(context, payment, after, at)
      return true
    }
    case 'return':
      await returnPayment(context, payment, at)
      await updatePayment(context, payment, { ...change, status: 'RJCT', status_text: action.text }, at)
      return true
    case 'sign':
      await acceptSignature(context, payment, { signers: Number.POSITIVE_INFINITY, at })
      return true
    case 'unsign':
      await revokeSignatures(context, payment, { at, text: action.text })
      return true
    case 'forget':
      await deletePayment(context, payment)
      return true
  }
}

/** The number of the executed step, and when the next one is due. */
function nextStepColumns({ fixture }: Context, payment: Payment, at: Temporal.Instant): PaymentChange {
  const executed = (payment.script_step ?? 0) + 1
  const following = scriptStepsOf(payment)[executed]
  const dueAt = following && stepDueAt(requireBankByBic(fixture, payment.bank), following, at)
  return { script_step: executed, due_at: dueAt?.toString() ?? null }
}
