/** Tests that building the order of a payroll yields to the event loop and includes every transaction. */
import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { buildSingleOrders, bulkOrderOf } from './payroll-orders.ts'

const COUNT = 2_000

test('the order of a large payroll is built in parts, complete and in order', async () => {
  const transactions = Array.from({ length: COUNT }, (_none, n) => ({
    metadata: { endToEndId: `SAL-${n}` },
    name: `Employee ${n}`,
    account: { bban: '80501200011' },
    amount: { amount: '1.00', currency: 'NOK' },
    remittanceInformation: { type: 'message' as const, value: 'Salary' },
  }))
  const contents = {
    from: { account: { bban: '80501100017' }, name: 'Nordlys' },
    purposeCode: 'SALA' as const,
    transactions,
  }
  const dueDate = Temporal.PlainDate.from('2026-01-02')
  const terms = { countryCode: 'NO', currency: 'NOK', dueDate, listed: { iban: null, sharesNumber: true } }
  let turns = 0
  let isWritten = false
  const writing = buildSingleOrders(contents, terms).finally(() => {
    isWritten = true
  })
  while (!isWritten) {
    await turn()
    turns += 1
  }
  const { payments, debtor } = bulkOrderOf(await writing, { bulkId: 'b', batchBooking: false })
  expect(turns).toBeGreaterThan(2)
  expect(payments.map(({ endToEndId }) => endToEndId)).toEqual(transactions.map(({ metadata }) => metadata.endToEndId))
  expect(debtor).toMatchObject({ bban: '80501100017', currency: 'NOK', sharesNumber: true })
})
