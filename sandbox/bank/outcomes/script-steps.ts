/** Finds where a payment stands in its scripted outcome, and when the next step of it is due. */
import { bookingRun, businessDay, clearingDay } from '../bank-calendar.ts'
import type { BankProfile } from '../fixture.ts'
import type { Payment } from '../payments/payment.ts'
import { outcomeOf } from './outcomes.ts'
import { NEXT_BANK_DAY, type Outcome, type ShownStatus, SOMEBODY, type Step } from './scripted-outcome.ts'

/** The outcome that a payment's amount asks for, if any. */
export function outcomeOfPayment({ amount_minor: minor, currency }: Payment): Outcome | undefined {
  return outcomeOf({ minor, currency })
}

/** The steps that a payment takes as it stands: unsigned, signed by some, or signed. */
export function stepsOf(payment: Payment): readonly Step[] {
  const script = outcomeOfPayment(payment)?.script
  if (payment.signed_at !== null) {
    return script?.signed ?? []
  }
  return (payment.status === 'PATC' ? script?.partlySigned : script?.unsigned) ?? []
}

/** The step that a payment takes next; undefined when no script moves it any more. */
export function nextStep(payment: Payment): Step | undefined {
  return payment.script_step === null ? undefined : stepsOf(payment)[payment.script_step]
}

/** When a step is due that follows on something which happened at an instant; null when it waits for somebody. */
export function dueOf(bank: BankProfile, { after }: Step, at: Temporal.Instant): Temporal.Instant | null {
  switch (after) {
    case SOMEBODY:
      return null
    case NEXT_BANK_DAY:
      return bookingRun(bank, clearingDay(bank, businessDay(bank, at).add({ days: 1 })))
    default:
      return at.add(after)
  }
}

/** What the script has the bank tell beside the status, for as long as the status is the script's. */
export function toldByScript(payment: Payment): Pick<ShownStatus, 'word' | 'code' | 'text'> {
  const deed = stepsOf(payment)[(payment.script_step ?? 0) - 1]?.deed
  return deed?.type === 'status' && deed.status === payment.status ? deed : {}
}
