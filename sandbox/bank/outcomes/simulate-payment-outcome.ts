/** Plays a scripted outcome on a payment, one step after the other, each at its time. */
import type { BankContext, BankTransaction } from '../bank-context.ts'
import type { Payment } from '../payments/payment.ts'
import { changePayment, forgetPayment, lockPayment, type PaymentChange } from '../payments/payment-store.ts'
import { takeBackSignatures } from '../payments/revoke-signatures.ts'
import type { Notice } from '../push-notifications.ts'
import { bankOfRow } from '../world.ts'
import { dueOf, nextStep, outcomeOfPayment, stepsOf } from './script-steps.ts'

type Notices = readonly Notice[]
type Deal = (
  context: BankContext,
  transaction: BankTransaction,
  payment: Payment,
  at: Temporal.Instant,
) => Promise<Notices>

/** What a step is taken with; `usual` is what the bank does with any payment. */
export type Stage = {
  readonly context: BankContext
  readonly transaction: BankTransaction
  readonly at: Temporal.Instant
  readonly usual: {
    readonly book: Deal
    readonly sign: Deal
    /** Books the money back. */
    readonly bookBack: (...deal: Parameters<Deal>) => Promise<void>
  }
}

/** How many people must sign because the script says so; once signatures were taken back, one is enough. */
export function scriptedSigners(payment: Payment): number {
  const signers = payment.unsigned_at === null ? outcomeOfPayment(payment)?.script.signers : undefined
  return signers ?? 1
}

/** What follows on a signature that others have to join. */
export function afterPartSignature(stage: Stage, payment: Payment): PaymentChange {
  const [first] = outcomeOfPayment(payment)?.script.partlySigned ?? []
  const dueAt = first && dueOf(bankOfRow(stage.context.world, payment.bank), first, stage.at)
  return first === undefined ? {} : { script_step: 0, due_at: dueAt?.toString() ?? null }
}

/** Takes over a payment that is wholly signed; null when its amount asks for nothing. */
export async function playSignature(stage: Stage, payment: Payment): Promise<Notices | null> {
  const change = { signed_at: stage.at.toString(), script_step: 0, due_at: null }
  const signed = { ...payment, signed_at: stage.at, script_step: 0 }
  if (stepsOf(signed).length === 0) {
    return null
  }
  await changePayment(stage.transaction, payment, change, stage.at)
  return await playStep(stage, signed)
}

/** Takes the next step of the script; null when there is none, and the payment goes its usual way. */
export async function playStep(stage: Stage, payment: Payment): Promise<Notices | null> {
  const { context, transaction, at, usual } = stage
  const deed = nextStep(payment)?.deed
  const change = deed && followingStep(stage, payment)
  switch (deed?.type) {
    case undefined:
      return null
    case 'status': {
      const { status, text = null, funds = null } = deed
      const shown = { ...change, status, status_text: text, funds_available: funds }
      return await changePayment(transaction, payment, shown, at)
    }
    case 'book': {
      const notices = await usual.book(context, transaction, payment, at)
      // Without enough money the bank waits for it as it does with any payment.
      const isBooked = (await lockPayment(transaction, payment.id))?.due_at === null
      const after: PaymentChange = isBooked ? { ...change } : { status: 'ACSP', script_step: null }
      return [...notices, ...(await changePayment(transaction, payment, after, at))]
    }
    case 'return':
      await usual.bookBack(context, transaction, payment, at)
      return await changePayment(transaction, payment, { ...change, status: 'RJCT', status_text: deed.text }, at)
    case 'sign':
      return await usual.sign(context, transaction, payment, at)
    case 'unsign':
      return await takeBackSignatures(context, transaction, payment, { at, text: deed.text })
    case 'forget':
      await forgetPayment(transaction, payment)
      return []
  }
}

/** The count of the step that is being taken, and when the one after it is due. */
function followingStep({ context, at }: Stage, payment: Payment): PaymentChange {
  const taken = (payment.script_step ?? 0) + 1
  const following = stepsOf(payment)[taken]
  const dueAt = following && dueOf(bankOfRow(context.world, payment.bank), following, at)
  return { script_step: taken, due_at: dueAt?.toString() ?? null }
}
