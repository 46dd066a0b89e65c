/** The table of scripted outcomes, by the amount of a payment that asks for one. */
import { type Money, scaleOf } from '../../../gateway/platform/money.ts'
import { outcomesOfTroubles } from './call-fault-outcomes.ts'
import { outcomesOfCustomers } from './customer-action-outcomes.ts'
import { outcomesOfSigned } from './execution-outcomes.ts'
import { outcomesOfRefusals } from './rejection-outcomes.ts'
import type { Outcome } from './scripted-outcome.ts'

/**
 * Every outcome, in the order of its amount: a whole one from 7700.00 to 7799.00, in whatever currency. Ordinary payments
 * rarely hit one, every limit allows them, and the last two digits are all there is to remember. The minor units are zero:
 * an ending such as .41 would strike one ordinary invoice in a hundred.
 */
export const outcomes: readonly Outcome[] = [
  ...outcomesOfSigned,
  ...outcomesOfCustomers,
  ...outcomesOfRefusals,
  ...outcomesOfTroubles,
].toSorted((one, other) => one.amount - other.amount)

const outcomeByAmount: ReadonlyMap<number, Outcome> = new Map(outcomes.map((outcome) => [outcome.amount, outcome]))

/** The outcome that an amount asks for, if any. */
export function outcomeOf({ minor, currency }: Money): Outcome | undefined {
  const unit = 10n ** BigInt(scaleOf(currency) ?? 0)
  return minor % unit === 0n ? outcomeByAmount.get(Number(minor / unit)) : undefined
}
