/** Holds the status table to the interface's decisions: every pair of statuses, and every move of our own. */
import { expect, test } from 'vitest'
import type { PaymentStatusReason, PaymentStatusValue } from '../../contract/shapes.ts'
import { isExpectedTransition, type PaymentAction, permits } from './payment.ts'

const REASONS: Readonly<Record<PaymentStatusValue, readonly (PaymentStatusReason | null)[]>> = {
  Unsigned: [null],
  InProgress: [null],
  CustomerActionRequired: [null, 'PartlySigned', 'SmsConfirmationRequired', 'InsufficientFunds'],
  Completed: [null],
  Rejected: [null],
  Cancelled: [null],
}
const all = (Object.keys(REASONS) as PaymentStatusValue[]).flatMap((status) =>
  REASONS[status].map((statusReason) => ({ status, statusReason })),
)
const FINAL = ['Completed', 'Rejected', 'Cancelled']
const named = ({ status, statusReason }: (typeof all)[number]) =>
  status === 'CustomerActionRequired' ? String(statusReason) : status

/** Row by row as the decisions have it. */
const ROWS: readonly (readonly [from: PaymentStatusValue, to: readonly string[]])[] = [
  ['Unsigned', ['PartlySigned', 'SmsConfirmationRequired', 'InProgress', ...FINAL]],
  ['InProgress', ['PartlySigned', 'SmsConfirmationRequired', 'InsufficientFunds', ...FINAL]],
  ['CustomerActionRequired', ['SmsConfirmationRequired', 'InProgress', 'Unsigned', ...FINAL]],
  ['Completed', ['Rejected']],
  ['Rejected', []],
  ['Cancelled', []],
]

test.each(ROWS)('%s is usually followed by %j, and by nothing else', (from, usual) => {
  for (const before of all.filter(({ status }) => status === from)) {
    const following = all
      .filter((after) => isExpectedTransition({ ...before, signed: from === 'InProgress' }, after))
      .map(named)
    expect(following.toSorted()).toEqual([...new Set([...usual, named(before)])].toSorted())
  }
})

test('an Unsigned order of which a signature is known may lack funds, having been in progress unseen', () => {
  const to = { status: 'CustomerActionRequired', statusReason: 'InsufficientFunds' } as const
  expect(isExpectedTransition({ status: 'Unsigned', statusReason: null, signed: true }, to)).toBe(true)
  expect(isExpectedTransition({ status: 'Unsigned', statusReason: null, signed: false }, to)).toBe(false)
})

test.each<[PaymentAction, string[]]>([
  ['approve', ['Unsigned', 'PartlySigned']],
  ['withdraw', ['Unsigned', 'PartlySigned']],
  ['place-again', ['Unsigned']],
  ['void', ['Unsigned']],
  ['settle', ['InProgress']],
])('we %s only what is %j', (move, permitted) => {
  expect(all.filter((payment) => permits({ ...payment, signed: false }, move)).map(named)).toEqual(permitted)
})

test.each<PaymentAction>(['approve', 'withdraw', 'place-again', 'void'])('we never %s what is signed', (move) => {
  expect(all.filter((payment) => permits({ ...payment, signed: true }, move))).toEqual([])
})

test('an order in progress by a word that we do not know may turn out to be unsigned', () => {
  const [from, to] = [
    { status: 'InProgress', statusReason: null },
    { status: 'Unsigned', statusReason: null },
  ] as const
  expect(isExpectedTransition({ ...from, signed: false }, to)).toBe(true)
  expect(isExpectedTransition({ ...from, signed: true }, to)).toBe(false)
})
