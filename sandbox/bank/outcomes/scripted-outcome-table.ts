/** The table of scripted outcomes, by the amount that selects one, and what they do to an order at its initiation. */
import { currencyScale, type Money, parseMoney } from '../../../gateway/platform/money.ts'
import { xs2aError } from '../xs2a-error.ts'
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

/** Rejects an amount that selects a rejection; `locate` is the path in the order of a field of the rejected payment. */
export function rejectIfScripted(
  money: Money,
  locate: (path: string | undefined) => string | undefined = (path) => path,
): void {
  const rejection = scriptedOutcomeOf(money)?.script.rejection
  if (rejection !== undefined) {
    const { status, code, text } = rejection
    throw xs2aError(status, code, text, locate(rejection.path))
  }
}

/** The script columns of an order, which may advance without a signature. */
export function scriptedStart(
  money: Money,
  now: Temporal.Instant,
): { readonly script_step: number | null; readonly due_at?: string } {
  const [first] = scriptedOutcomeOf(money)?.script.unsigned ?? []
  return first === undefined ? { script_step: null } : { script_step: 0, due_at: now.add(first.after).toString() }
}

/** The amount in an unvalidated body; in a bulk the total. */
export function moneyIn(body: unknown): Money | undefined {
  const payments = memberOf(body, 'payments')
  return Array.isArray(payments) ? sumOf(payments.map(moneyOf)) : moneyOf(body)
}

function sumOf(monies: readonly (Money | undefined)[]): Money | undefined {
  const [first] = monies
  const minor = monies.reduce((sum, money) => sum + (money?.minor ?? 0n), 0n)
  return first === undefined ? undefined : { minor, currency: first.currency }
}

function moneyOf(body: unknown): Money | undefined {
  const amount = memberOf(body, 'instructedAmount')
  const [text, currency] = [memberOf(amount, 'amount'), memberOf(amount, 'currency')]
  return typeof text === 'string' && typeof currency === 'string' ? parseMoney(text, currency) : undefined
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null
    ? Object.entries(value).find(([key]) => key === name)?.[1]
    : undefined
}
