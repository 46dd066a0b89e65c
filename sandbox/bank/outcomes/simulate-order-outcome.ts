/** Plays the part of a scripted outcome that comes with the order itself: it is refused, or something waits to happen. */
import { type Money, parseMoney } from '../../../gateway/platform/money.ts'
import { Xs2aRefusal } from '../refusal.ts'
import { outcomeOf } from './outcomes.ts'
import type { ScriptedRefusal } from './scripted-outcome.ts'

/** Refuses an order whose amount asks for that. */
export function refuseIfScripted(money: Money): void {
  const refusal = refusalOfScript(money)
  if (refusal !== undefined) {
    const { status, ...message } = refusal
    throw new Xs2aRefusal(status, [message])
  }
}

/** How an order with this amount is refused, if it is. */
export function refusalOfScript(money: Money): ScriptedRefusal | undefined {
  return outcomeOf(money)?.script.refusal
}

/** What is kept with an order that something will happen to though nobody signs it. */
export function scriptedStart(money: Money, now: Temporal.Instant): { script_step?: number; due_at?: string } {
  const [first] = outcomeOf(money)?.script.unsigned ?? []
  return first === undefined ? {} : { script_step: 0, due_at: now.add(first.after).toString() }
}

/** The money in a body that may be anything; in one of many payments that of all together. */
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
