/** Says what happens to one payment of a bulk next: it is booked, or whatever its amount asks for, one step after the other. */

import type { BankProfile } from '../fixture.ts'
import { outcomeOf } from '../outcomes/outcomes.ts'
import { dueOf } from '../outcomes/script-steps.ts'
import type { Step } from '../outcomes/scripted-outcome.ts'
import type { TransactionStatus } from '../payments/payment.ts'
import type { Element } from './bulk-transaction.ts'
import type { ElementChange } from './bulk-transaction-store.ts'

/** One step of one payment: where its money goes, and what it is like afterwards. */
export type Turn = {
  readonly element: Element
  readonly money: 'out' | 'back' | 'stays'
  readonly change: ElementChange & { readonly status: TransactionStatus }
}

/** What is done with a payment whose amount asks for nothing. */
const BOOKED_AT_ONCE: readonly Step[] = [{ after: 'PT0S', deed: { type: 'book' } }]

/** Its next turn at an instant; undefined when nothing happens to it any more. The first is when the bulk is carried out. */
export function nextTurn(
  bank: BankProfile,
  currency: string,
  element: Element,
  at: Temporal.Instant,
): Turn | undefined {
  const steps = outcomeOf({ minor: element.amount_minor, currency })?.script.signed ?? BOOKED_AT_ONCE
  const deed = steps[element.script_step]?.deed
  if (deed === undefined) {
    return undefined
  }
  const step = element.script_step + 1
  const following = steps[step]
  const dueAt = following === undefined ? null : dueOf(bank, following, at)
  const moved = { position: element.position, step, dueAt }
  switch (deed.type) {
    case 'book':
      return { element, money: 'out', change: { ...moved, status: 'ACSC', text: null } }
    case 'return':
      return { element, money: 'back', change: { ...moved, status: 'RJCT', text: deed.text } }
    case 'status':
      return { element, money: 'stays', change: { ...moved, status: deed.status, text: deed.text ?? null } }
    default:
      throw new Error(`No payment in a bulk is told to ${deed.type} once it is signed`)
  }
}
