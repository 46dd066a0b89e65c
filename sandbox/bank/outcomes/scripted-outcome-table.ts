/** The table of scripted outcomes, by the amount that selects one. */
import { currencyScale, type Money } from '../../../gateway/platform/money.ts'
import { callFaultOutcomes } from './call-fault-outcomes.ts'
import { callRejectionOutcomes } from './call-rejection-outcomes.ts'
import { customerActionOutcomes } from './customer-action-outcomes.ts'
import { executionOutcomes } from './execution-outcomes.ts'
import { rejectionOutcomes } from './rejection-outcomes.ts'
import type { Outcome } from './scripted-outcome.ts'

/**
 * Ordered by amount: a whole one from 7700.00 to 7799.00 in any currency. Ordinary payments rarely have such an
 * amount, and every limit allows it. The minor units are zero, because an ending such as .41 would match one ordinary
 * invoice in a hundred.
 */
export const outcomes: readonly Outcome[] = [
  ...executionOutcomes,
  ...customerActionOutcomes,
  ...rejectionOutcomes,
  ...callRejectionOutcomes,
  ...callFaultOutcomes,
].toSorted((one, other) => one.amount - other.amount)

const outcomeByAmount: ReadonlyMap<number, Outcome> = new Map(outcomes.map((outcome) => [outcome.amount, outcome]))

export function scriptedOutcomeOf({ minor, currency }: Money): Outcome | undefined {
  const unit = 10n ** BigInt(currencyScale(currency) ?? 0)
  return minor % unit === 0n ? outcomeByAmount.get(Number(minor / unit)) : undefined
}
