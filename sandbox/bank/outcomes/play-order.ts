/** Plays the part of a scripted outcome that comes with the order itself: it is refused, or something waits to happen. */
import { type Money, parseMoney } from '../../../gateway/foundation/money.ts'
import { Xs2aRefusal } from '../refusal.ts'
import { outcomeOf } from './outcomes.ts'

/** Refuses an order whose amount asks for that. */
export function refuseIfScripted(money: Money): void {
  const refusal = outcomeOf(money)?.script.refusal
  if (refusal !== undefined) {
    const { status, ...message } = refusal
    throw new Xs2aRefusal(status, [message])
  }
}

/** What is kept with an order that something will happen to though nobody signs it. */
export function scriptedStart(money: Money, now: Temporal.Instant): { script_step?: number; due_at?: string } {
  const [first] = outcomeOf(money)?.script.unsigned ?? []
  return first === undefined ? {} : { script_step: 0, due_at: now.add(first.after).toString() }
}

/** The money in a body that may be anything. */
export function moneyIn(body: unknown): Money | undefined {
  const amount = memberOf(body, 'instructedAmount')
  const [text, currency] = [memberOf(amount, 'amount'), memberOf(amount, 'currency')]
  return typeof text === 'string' && typeof currency === 'string' ? parseMoney(text, currency) : undefined
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null
    ? Object.entries(value).find(([key]) => key === name)?.[1]
    : undefined
}
