/** Tests the status table against the decisions on the API: every pair of statuses, and every action of Havn. */
import { expect, test } from 'vitest'
import type { PaymentStatusReason, PaymentStatusValue } from '../../contract/payments/payment-status.ts'
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

/** The rows of the decisions. */
const ROWS: readonly (readonly [from: PaymentStatusValue, to: readonly string[]])[] = [
  ['Unsigned', ['PartlySigned', 'SmsConfirmationRequired', 'InProgress', ...FINAL]],
  ['InProgress', ['PartlySigned', 'SmsConfirmationRequired', 'InsufficientFunds', ...FINAL]],
  ['CustomerActionRequired', ['SmsConfirmationRequired', 'InProgress', 'Unsigned', ...FINAL]],
  ['Completed', ['Rejected']],
  ['Rejected', []],
  ['Cancelled', []],
]

test.each(ROWS)('%s is usually followed only by %j', (from, usual) => {
  for (const before of all.filter(({ status }) => status === from)) {
    const following = all
      .filter((after) => isExpectedTransition({ ...before, signed: from === 'InProgress' }, after))
      .map(named)
    expect(following.toSorted()).toEqual([...new Set([...usual, named(before)])].toSorted())
  }
})

test('an Unsigned order with a known signature may lack funds, because it was in progress between two polls', () => {
  const to = { status: 'CustomerActionRequired', statusReason: 'InsufficientFunds' } as const
  expect(isExpectedTransition({ status: 'Unsigned', statusReason: null, signed: true }, to)).toBe(true)
  expect(isExpectedTransition({ status: 'Unsigned', statusReason: null, signed: false }, to)).toBe(false)
})

test.each<[PaymentAction, string[]]>([
  ['approve', ['Unsigned', 'PartlySigned']],
  ['withdraw', ['Unsigned', 'PartlySigned']],
  ['place-again', ['Unsigned']],
  ['void', ['Unsigned', 'Cancelled']],
  ['settle', ['InProgress']],
])('the action %s is permitted only for %j', (move, permitted) => {
  expect(all.filter((payment) => permits({ ...payment, signed: false }, move)).map(named)).toEqual(permitted)
})

test.each<PaymentAction>(['approve', 'withdraw', 'place-again', 'void'])(
  'the action %s is never permitted for a signed order',
  (move) => {
    expect(all.filter((payment) => permits({ ...payment, signed: true }, move))).toEqual([])
  },
)

test('an order in progress because of an unknown bank status may turn out to be unsigned', () => {
  const [from, to] = [
    { status: 'InProgress', statusReason: null },
    { status: 'Unsigned', statusReason: null },
  ] as const
  expect(isExpectedTransition({ ...from, signed: false }, to)).toBe(true)
  expect(isExpectedTransition({ ...from, signed: true }, to)).toBe(false)
})
