/** Tests that the summary shows how many payments are signed, and the total per account and currency. */
import { expect, test } from 'vitest'
import { textsIn } from '../../page-texts/page-texts.ts'
import { type SummaryItem, summaryAmount, summaryText } from '../signature-summary.ts'
import { renderSummary } from './summary-markup.ts'

const payment = (minor: bigint, currency: string, account: string): SummaryItem => [
  summaryAmount({ minor, currency }),
  summaryText('to', 'Granli Trelast AS'),
  { label: 'from-account', value: account, kind: 'account' },
]

/** The rows of the totals, as `term: value`. */
function totalsShown(things: readonly SummaryItem[], language: 'en' | 'nb' | 'sv' | 'da' | 'fi' = 'en') {
  const [, card = ''] = /<dl class="totals">(.*?)<\/dl>/s.exec(renderSummary(textsIn(language), things)) ?? []
  return [...card.matchAll(/<dt>(.*?)<\/dt><dd>(.*?)<\/dd>/g)].map(
    ([, term, value = '']) => `${term}: ${value.replaceAll('\u00a0', ' ')}`,
  )
}

test('one payment has no total in addition to its amount', () => {
  expect(totalsShown([payment(125_000n, 'NOK', '80501100017')])).toEqual([])
})

test('payments from one account in one currency have one total', () => {
  const two = [payment(125_000n, 'NOK', '80501100017'), payment(50n, 'NOK', '80501100017')]
  expect(totalsShown(two)).toEqual(['Total of 2 payments: 1 250.50 NOK', 'From account: 80501100017'])
  expect(['nb', 'sv', 'da', 'fi'].map((language) => totalsShown(two, language as 'nb')[0])).toEqual([
    'Sum for 2 betalinger: 1 250,50 NOK',
    'Summa för 2 betalningar: 1 250,50 NOK',
    'I alt 2 betalinger: 1.250,50 NOK',
    'Yhteensä 2 maksua: 1 250,50 NOK',
  ])
})

test.each([1, 3])('each account and currency has its own total, below cards and below a list (%i)', (times) => {
  const things = Array.from({ length: times }, () => [
    payment(100n, 'NOK', '80501100017'),
    payment(200n, 'NOK', '80501100025'),
    payment(300n, 'EUR', '80501100017'),
  ]).flat()
  const terms = { 1: '1 payment', 3: 'Total of 3 payments' }[times]
  expect(totalsShown(things)).toEqual([
    `${terms}: ${times}.00 NOK`,
    'From account: 80501100017',
    `${terms}: ${2 * times}.00 NOK`,
    'From account: 80501100025',
    `${terms}: ${3 * times}.00 EUR`,
    'From account: 80501100017',
  ])
})

test('payrolls are counted as payrolls', () => {
  const payroll = [...payment(100n, 'NOK', '80501100017'), summaryText('payouts', '12')]
  expect(totalsShown([payroll, payroll])).toEqual(['Total of 2 payrolls: 2.00 NOK', 'From account: 80501100017'])
})
