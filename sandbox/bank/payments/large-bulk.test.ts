/** Tests that the largest bulks are accepted, executed and reported like small ones; long runs have those of ten thousand. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { errorSummary, MONDAY } from '../../testing/bank-test-client.ts'
import { bulkTestClient } from '../../testing/bulk-test-client.ts'
import { startTestBank, type TestBank } from '../../testing/test-bank.ts'
import { unhurriedFixture } from '../../testing/unhurried-fixture.ts'

const SIZE = Number(process.env['HAVN_LARGE_PAYROLL'] ?? 1_000)
/** The position of the payment that is rejected. */
const REJECTED = SIZE * 0.6
const WEIGHTS = [5, 4, 3, 2, 7, 6, 5, 4, 3, 2]

let tested: TestBank
beforeAll(async () => {
  const fixture = unhurriedFixture()
  const limited = ({ bulk }: (typeof fixture.banks)[number]) => bulk && { ...bulk, max: SIZE }
  const banks = fixture.banks.map((bank) => ({ ...bank, bulk: limited(bank) }))
  tested = await startTestBank({ fixture: { ...fixture, banks } })
  await fjell.clockTo(MONDAY)
  await fjell.tpp.control('POST', '/accounts/80511100015/balance', { amount: '500000000.00' })
})
afterAll(() => tested.close())
const fjell = bulkTestClient(() => tested, 'FJELNO22')

test('all creditors but one of a large order are paid', async () => {
  const payments = salaries(SIZE)
  payments[REJECTED] = fjell.element('7702.00')
  const path = await fjell.placed(payments, { batchBookingPreferred: true })
  await fjell.sign(path)
  await fjell.clockTo('2031-03-03T08:05:00Z')
  const { body } = await fjell.tpp.send('GET', path)
  expect(await fjell.statusOf(path)).toBe('PART')
  const reported = (body as { payments: readonly { transactionStatus: string }[] }).payments
  expect(reported.map(({ transactionStatus }) => transactionStatus)).toEqual(
    payments.map((_payment, position) => (position === REJECTED ? 'RJCT' : 'ACSC')),
  )
  // Every creditor gets 30 000 and as many øre as its index.
  expect(await fjell.balanceOf('80511100015')).toBe(balanceAfter(REJECTED))
})

test('one more than the bank’s limit is rejected', async () => {
  const rejected = await fjell.order(salaries(SIZE + 1))
  expect(errorSummary(rejected)).toEqual([400, 'FORMAT_ERROR', 'payments'])
})

function salaries(count: number): Record<string, unknown>[] {
  const numbers = accountNumbers()
  return Array.from({ length: count }, (_none, position) =>
    fjell.element(`30000.${String(position % 100).padStart(2, '0')}`, {
      creditorAccount: { bban: numbers.next().value },
      creditorName: `Employee ${position}`,
    }),
  )
}

/** Account numbers of a Norwegian bank that is not in the sandbox's fixture. */
function* accountNumbers(): Generator<string, string> {
  for (let number = 8_601_000_000n; ; number += 1n) {
    const digits = number.toString()
    const check =
      (11 - ([...digits].reduce((sum, digit, place) => sum + Number(digit) * (WEIGHTS[place] ?? 0), 0) % 11)) % 11
    if (check < 10) {
      yield `${digits}${check}`
    }
  }
}

function balanceAfter(unpaid: number): string {
  const paid = Array.from({ length: SIZE }, (_none, position) => BigInt(3_000_000 + (position % 100)))
  const minor = 50_000_000_000n - paid.reduce((sum, one) => sum + one, 0n) + (paid[unpaid] ?? 0n)
  return minor.toString().replace(/(\d\d)$/, '.$1')
}
