/** Determines the position of a payment in its scripted outcome, and when the next step is due. */
import { bookingRun, businessDay, clearingDay } from '../bank-calendar.ts'
import type { BankProfile } from '../fixture.ts'
import type { TransactionStatus } from '../xs2a/transaction-status.ts'
import { NEXT_BANK_DAY, ON_REQUEST, type Outcome, type ScriptStep, type ShownStatus } from './scripted-outcome.ts'
import { scriptedOutcomeOf } from './scripted-outcome-table.ts'

/** What a script reads of the payment that it is for. */
type Scripted = {
  readonly amount_minor: bigint
  readonly currency: string
  readonly status: TransactionStatus
  readonly signed_at: Temporal.Instant | null
  readonly script_step: number | null
}

/** The outcome of the payment's amount, if any. */
export function outcomeOfPayment({
  amount_minor: minor,
  currency,
}: Pick<Scripted, 'amount_minor' | 'currency'>): Outcome | undefined {
  return scriptedOutcomeOf({ minor, currency })
}

/** The steps for a payment in its state: unsigned, partly or fully signed. */
export function scriptStepsOf(payment: Scripted): readonly ScriptStep[] {
  const script = outcomeOfPayment(payment)?.script
  if (payment.signed_at !== null) {
    return script?.signed ?? []
  }
  return (payment.status === 'PATC' ? script?.partlySigned : script?.unsigned) ?? []
}

/** The next scripted step; undefined after the last or without a script. */
export function nextScriptStep(payment: Scripted): ScriptStep | undefined {
  return payment.script_step === null ? undefined : scriptStepsOf(payment)[payment.script_step]
}

/** When a step after an instant is due; null when it waits for a control call. */
export function stepDueAt(bank: BankProfile, { after }: ScriptStep, at: Temporal.Instant): Temporal.Instant | null {
  switch (after) {
    case ON_REQUEST:
      return null
    case NEXT_BANK_DAY:
      return bookingRun(bank, clearingDay(bank, businessDay(bank, at).add({ days: 1 })))
    default:
      return at.add(after)
  }
}

/** The scripted details of the status, as long as the status is the script's. */
export function scriptedStatusDetails(payment: Scripted): Pick<ShownStatus, 'word' | 'code' | 'text'> {
  const action = scriptStepsOf(payment)[(payment.script_step ?? 0) - 1]?.action
  return action?.type === 'status' && action.status === payment.status ? action : {}
}
