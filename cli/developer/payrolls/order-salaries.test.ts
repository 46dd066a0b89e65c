/** Tests that a payroll which was ordered before is found among all that begin with the same endToEndId. */
import { expect, it } from 'vitest'
import type { Connection } from '../context.ts'
import { findOrdered, orderOf } from './order-salaries.ts'
import type { SalaryRow } from './read-salaries.ts'

it('finds the payroll on a later page of the list, where the endToEndIds of a file begin again each month', async () => {
  const row: SalaryRow = {
    ...{ line: 2, name: 'Kari', account: '80501200011', amount: '100.50', endToEndId: '1', hasDefaultMessage: false },
    remittance: { type: 'message', value: 'Salary' },
  }
  const from = { account: { bban: '80501100017' } }
  const listed = { transactionCount: 1, totalAmount: { amount: '100.50' }, from }
  const pages = [
    { payrolls: [{ ...listed, payrollId: 'earlier', dueDate: '2026-10-30' }], nextCursor: 'next' },
    { payrolls: [{ ...listed, payrollId: 'same', dueDate: '2026-11-30' }], nextCursor: null },
  ]
  const listPayrolls = async ({ query }: { query: { cursor?: string } }) => pages[query.cursor === 'next' ? 1 : 0]
  const connection = { havn: { listCompanies: async () => [], listPayrolls } } as unknown as Connection
  const account = { bban: from.account.bban, currency: 'NOK', organizationNumber: '1' }
  const { body } = await orderOf(connection, account, { rows: [row], digest: '', dueDate: '2026-11-30' })
  expect((await findOrdered(connection, body, [row]))?.payrollId).toBe('same')
})
