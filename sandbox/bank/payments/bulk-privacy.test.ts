/** Tests that the bank's pages show the number of payments in a bulk, and never the payees. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { MONDAY } from '../../testing/bank-test-client.ts'
import { bulkTestClient } from '../../testing/bulk-test-client.ts'
import { startTestBank, type TestBank } from '../../testing/test-bank.ts'
import { headersOf } from '../../testing/third-party.ts'
import type { BankFixture } from '../fixture.ts'
import { loadDemoFixture } from '../load-fixture.ts'

let tested: TestBank
beforeAll(async () => {
  tested = await startTestBank({ fixture: withBulksInApps(loadDemoFixture()) })
  await fjell.clockTo(MONDAY)
})
afterAll(() => tested.close())
const fjell = bulkTestClient(() => tested, 'FJELNO22')
const kattegat = bulkTestClient(() => tested, 'KATTDK22')

const NAMES = /Unni|86011117947|8601\.11|10\s017,00/
const pageAt = async (path: string) => await (await fetch(new URL(path, tested.bank.pagesUrl))).text()

test('the signing page shows count, sum, payer and date', async () => {
  const path = await fjell.placed(['10017.00', '2500.50'], { requestedExecutionDate: '2031-03-10' })
  const { link } = await fjell.tpp.authorise(`${path}/authorisations`)
  await fetch(link, { method: 'POST', body: new URLSearchParams({ userId: fjell.bank.user }), redirect: 'manual' })
  const page = await pageAt(link)
  for (const shown of [
    '<dt>Payments</dt>',
    '2 payments',
    '12\u00a0517,50',
    'Nordlys Handel AS',
    '8051.11.00015',
    '10.03.2031',
  ]) {
    expect(page).toContain(shown)
  }
  expect(NAMES.exec(page)).toBeNull()
})

test('the overview and the page of the account show the same', async () => {
  await fjell.sign(await fjell.placed(['10017.00', '2600.50'], { batchBookingPreferred: true }))
  await fjell.clockTo('2031-03-03T08:01:00Z')
  for (const page of [await pageAt('/'), await pageAt('/accounts/FJELNO22/80511100015')]) {
    expect(page).toContain('2 payments')
    expect(page).toContain('12\u00a0617,50')
    expect(NAMES.exec(page)).toBeNull()
  }
})

test('the app shows the same', async () => {
  const payments = ['1.00', '2.00'].map((amount) =>
    kattegat.element(amount, { creditorAccount: kattegat.bank.account.supplier }),
  )
  const path = await kattegat.placed(payments)
  await kattegat.tpp.authorise(`${path}/authorisations`, headersOf(kattegat.bank))
  const page = await pageAt('/app')
  expect(page).toContain('2 payments, 3,00\u00a0DKK in all')
  expect(NAMES.exec(page)).toBeNull()
})

/** Kattegatbanken, whose users sign in an app, accepts bulks here. */
function withBulksInApps(fixture: BankFixture): BankFixture {
  const bulk = { max: 10, batchBooking: true, paymentInformationId: false, elements: 'none', inBaskets: false } as const
  return { ...fixture, banks: fixture.banks.map((bank) => (bank.bic === 'KATTDK22' ? { ...bank, bulk } : bank)) }
}
