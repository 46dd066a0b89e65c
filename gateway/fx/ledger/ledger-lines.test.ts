/** Tests that ledger entries balance per currency, and that the accounts of a closed deal are at zero. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Money } from '../../platform/money.ts'
import {
  arrivedLines,
  bookedLines,
  cancelledLines,
  fundedLines,
  fundsReturnedLines,
  type LedgerLine,
  netLines,
  paidLines,
  refundedLines,
  returnedLines,
  TRANSIENT_ACCOUNTS,
  unbalancedCurrencies,
} from './ledger-lines.ts'

const minor = fc.bigInt({ min: 1n, max: 10n ** 14n })
/** The margin is what the payer pays beyond what is sold; both currencies may even be one. */
const deals = fc
  .record({
    sell: minor,
    margin: fc.bigInt({ min: 0n, max: 10n ** 9n }),
    buy: minor,
    bought: fc.constantFrom('USD', 'JPY', 'NOK'),
  })
  .map(({ sell, margin, buy, bought }) => ({
    id: 'deal',
    cost: { minor: sell + margin, currency: 'NOK' },
    quote: {
      ...{ providerQuoteId: 'quote', fixedSide: 'buy' as const, conversionDate: null },
      ...{ sell: { minor: sell, currency: 'NOK' }, buy: { minor: buy, currency: bought } },
    },
  }))
type DealPart = typeof deals extends fc.Arbitrary<infer Part> ? Part : never

const share = ({ minor: whole, currency }: Money, percent: bigint): Money => ({
  minor: (whole * percent) / 100n,
  currency,
})

/** Every path that a deal may take, as its ledger entries. */
function waysOf(deal: DealPart, percent: bigint): Readonly<Record<string, readonly (readonly LedgerLine[])[]>> {
  const [first, second] = [share(deal.cost, percent), share(deal.cost, 100n - percent)]
  const rest = { minor: deal.cost.minor - first.minor, currency: 'NOK' }
  const parts = [
    { id: 'first', amount: first },
    { id: 'second', amount: rest },
  ]
  const funded = [bookedLines(deal), ...parts.map(arrivedLines), fundedLines(deal, parts)]
  const returned = share(deal.quote.buy, percent)
  const came = (wasPaid: boolean) => returnedLines(deal, { wasPaid, returned })
  return {
    cancelled: [bookedLines(deal), cancelledLines(deal, { minor: 0n, currency: 'NOK' })],
    'cancelled at a loss': [bookedLines(deal), cancelledLines(deal, { minor: 12n, currency: 'NOK' })],
    'paid by two parts': [...funded, paidLines(deal)],
    'refunded before it was paid': [...funded, came(false), refundedLines(deal, returned)],
    'refunded after it was paid': [...funded, paidLines(deal), came(true), refundedLines(deal, returned)],
    'money that is sent back': [
      bookedLines(deal),
      arrivedLines({ id: 'late', amount: second }),
      cancelledLines(deal, { minor: 0n, currency: 'NOK' }),
      fundsReturnedLines({ id: 'late', amount: second }),
    ],
  }
}

function leftOver(entries: readonly (readonly LedgerLine[])[]): readonly LedgerLine[] {
  const passing: readonly string[] = TRANSIENT_ACCOUNTS
  return netLines(entries.flat()).filter(({ account }) => passing.includes(account))
}

const ways = Object.keys(waysOf(sampleDeal(), 30n))

function sampleDeal(): DealPart {
  return fc.sample(deals, { numRuns: 1, seed: 1 })[0] ?? failing()
}

function failing(): never {
  throw new Error('There is no sample')
}

describe('the ledger of a deal', () => {
  it.each(ways)('balances with every entry, and ends at zero: %s', (way) => {
    fc.assert(
      fc.property(deals, fc.bigInt({ min: 0n, max: 100n }), (deal, percent) => {
        const entries = waysOf(deal, percent)[way] ?? []
        expect(entries.length).toBeGreaterThan(1)
        expect(entries.flatMap((lines) => unbalancedCurrencies(netLines(lines)))).toEqual([])
        expect(leftOver(entries)).toEqual([])
      }),
    )
  })

  it('shows what is owed while a deal is open', () => {
    const deal = { ...sampleDeal(), cost: { minor: 9100n, currency: 'NOK' } }
    const quote = { ...deal.quote, sell: { minor: 9000n, currency: 'NOK' }, buy: { minor: 900n, currency: 'USD' } }
    const reported = netLines(bookedLines({ ...deal, quote })).map((line) => [line.account, line.currency, line.minor])
    expect(reported).toEqual([
      ['payer', 'NOK', 9100n],
      ['provider', 'NOK', -9000n],
      ['margin', 'NOK', -100n],
      ['provider', 'USD', 900n],
      ['receiver', 'USD', -900n],
    ])
  })

  it('finds the currency that does not balance', () => {
    const [line] = arrivedLines({ id: 'receipt', amount: { minor: 5n, currency: 'SEK' } })
    expect(unbalancedCurrencies(line === undefined ? [] : [line])).toEqual(['SEK'])
  })
})
