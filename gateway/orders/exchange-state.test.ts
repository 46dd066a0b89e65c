/** Tests exchanges: a cancelled one stays cancelled, a confirmed one is never cancelled for a missing signature. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { PaymentStatusValue } from '../../contract/payments/payment-status.ts'
import {
  type BankStatusReport,
  dealActionByExchangeState,
  type ExchangeState,
  exchangeTransitions,
  nextExchangeState,
  statusWithExchange,
} from './exchange-state.ts'

const STATES = Object.keys(exchangeTransitions) as ExchangeState[]
const STATUSES: readonly PaymentStatusValue[] = [
  'Unsigned',
  'CustomerActionRequired',
  'InProgress',
  'Completed',
  'Rejected',
  'Cancelled',
]
const words: fc.Arbitrary<BankStatusReport> = fc.record({ status: fc.constantFrom(...STATUSES), signed: fc.boolean() })
const shown = (state: ExchangeState, status: PaymentStatusValue) =>
  statusWithExchange(state, { status, statusReason: null }).status

describe('the effect of a bank status on an exchange', () => {
  it.each<[ExchangeState, PaymentStatusValue, boolean, ExchangeState]>([
    ['unsigned', 'Unsigned', false, 'unsigned'],
    ['unsigned', 'CustomerActionRequired', false, 'unsigned'],
    ['unsigned', 'CustomerActionRequired', true, 'confirmed'],
    ['unsigned', 'InProgress', true, 'confirmed'],
    ['unsigned', 'InProgress', false, 'unsigned'],
    ['unsigned', 'Completed', true, 'confirmed'],
    ['unsigned', 'Cancelled', false, 'cancelled'],
    ['unsigned', 'Rejected', false, 'rejected'],
    ['confirmed', 'Unsigned', false, 'confirmed'],
    ['confirmed', 'Cancelled', true, 'cancelled'],
    ['confirmed', 'Rejected', true, 'rejected'],
    ['funded', 'Rejected', true, 'funded'],
    ['uncancellable', 'InProgress', true, 'uncancellable'],
    ['uncancellable', 'Cancelled', false, 'cancelled'],
    ['uncancellable', 'Rejected', false, 'cancelled'],
    ['booking', 'Unsigned', false, 'booking'],
  ])('%s with bank status %s (signed: %s) becomes %s', (state, status, signed, after) => {
    expect(nextExchangeState(state, { status, signed })).toBe(after)
  })

  it('cancels it only when the order no longer exists', () => {
    fc.assert(
      fc.property(fc.constantFrom(...STATES), words, (state, word) => {
        const after = nextExchangeState(state, word)
        const isUndone = after !== state && dealActionByExchangeState[after] === 'cancel'
        return !isUndone || word.status === 'Cancelled' || word.status === 'Rejected'
      }),
    )
  })

  it('never confirms a cancelled exchange by a late signature', () => {
    fc.assert(
      fc.property(fc.constantFrom('cancelled', 'rejected', 'uncancellable'), fc.array(words), (undone, reported) => {
        let state: ExchangeState = undone
        const states = [
          state,
          ...reported.map((word) => {
            state = nextExchangeState(state, word)
            return state
          }),
        ]
        expect(new Set(states.map((state) => dealActionByExchangeState[state]))).toEqual(new Set(['cancel']))
      }),
    )
  })
})

describe('the status that partners see of a payment with exchange', () => {
  it.each<[ExchangeState, PaymentStatusValue, PaymentStatusValue]>([
    ['unsigned', 'Unsigned', 'Unsigned'],
    ['unsigned', 'Completed', 'InProgress'],
    ['confirmed', 'CustomerActionRequired', 'CustomerActionRequired'],
    ['confirmed', 'Completed', 'InProgress'],
    ['funded', 'InProgress', 'InProgress'],
    ['paid', 'Completed', 'Completed'],
    ['returned', 'Completed', 'Rejected'],
    ['cancelled', 'Completed', 'Cancelled'],
    ['rejected', 'Rejected', 'Rejected'],
    ['uncancellable', 'InProgress', 'Cancelled'],
  ])('%s with bank status %s is shown as %s', (state, reported, seen) => {
    expect(shown(state, reported)).toBe(seen)
  })

  it('is Completed only by a payout, whatever the bank reports', () => {
    for (const state of STATES) {
      const completed = STATUSES.filter((status) => shown(state, status) === 'Completed')
      expect(completed).toEqual(state === 'paid' ? STATUSES : [])
    }
  })

  it('has the reason of the bank only with the status of the bank', () => {
    const lacksFunds = { status: 'CustomerActionRequired', statusReason: 'InsufficientFunds' } as const
    expect(statusWithExchange('confirmed', lacksFunds)).toEqual(lacksFunds)
    expect(statusWithExchange('cancelled', lacksFunds)).toEqual({ status: 'Cancelled', statusReason: null })
  })
})

it('leaves a cancelled exchange only when the FX provider has received the money', () => {
  const ofProvider = ['funded', 'paid', 'returned']
  const undone = STATES.filter((state) => dealActionByExchangeState[state] === 'cancel')
  for (const state of [...undone, 'unsigned'] as const) {
    expect(exchangeTransitions[state]).toEqual(expect.arrayContaining(ofProvider))
  }
  const left = undone.flatMap((state) => exchangeTransitions[state])
  expect(left.filter((next) => dealActionByExchangeState[next] !== 'cancel' && !ofProvider.includes(next))).toEqual([])
  for (const state of STATES) {
    expect(exchangeTransitions[state]).not.toContain(state)
    expect(exchangeTransitions[state]).not.toContain('booking')
  }
})

it('shows what only the provider knows for no bank status', () => {
  fc.assert(
    fc.property(fc.constantFrom(...STATES), words, (state, word) => {
      const after = nextExchangeState(state, word)
      return after === state || !['funded', 'paid', 'returned'].includes(after)
    }),
  )
})
