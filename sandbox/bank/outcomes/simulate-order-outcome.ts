/** Simulates scripted outcomes at initiation: the order is rejected, or a later step is scheduled. */
import { type Money, parseMoney } from '../../../gateway/platform/money.ts'
import { xs2aError } from '../xs2a-error.ts'
import { scriptedOutcomeOf } from './scripted-outcome-table.ts'

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

/** The script columns of an order that advances without a signature. */
export function scriptedStart(money: Money, now: Temporal.Instant): { script_step?: number; due_at?: string } {
  const [first] = scriptedOutcomeOf(money)?.script.unsigned ?? []
  return first === undefined ? {} : { script_step: 0, due_at: now.add(first.after).toString() }
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
