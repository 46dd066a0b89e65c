/** Tests the list of payrolls: every filter, pages that neither skip nor repeat, and no payrolls of other partners. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PayrollQuery } from '../../contract/payrolls/payroll-operations.ts'
import { nordicBank } from '../testing/banks/nordic-banks.ts'
import { startTestGateway, type TestGateway } from '../testing/gateway/test-gateway.ts'
import { openPayrollFixture, PAYROLL_BANKS, type PayrollFixture, salary } from '../testing/payrolls/payroll-fixture.ts'
import { getPayroll, listPayrolls } from './read-payrolls.ts'

const bank = nordicBank(PAYROLL_BANKS.bulk)
let gateway: TestGateway
let stage: PayrollFixture
let ids: readonly string[]
beforeAll(async () => {
  gateway = await startTestGateway()
  stage = openPayrollFixture(gateway)
  await stage.payer.nextMorning()
  const ordered: string[] = []
  for (const number of [1, 2, 3]) {
    const transactions = [salary(bank, number, { metadata: { endToEndId: `LISTED-${number}` } })]
    ordered.push((await stage.order(bank, stage.payroll(bank, 0, { transactions }))).payrollId)
  }
  ids = ordered
})
afterAll(() => gateway.close())

const listed = async (query: PayrollQuery = {}) =>
  (await gateway.client.listPayrolls({ query })).payrolls.map(({ payrollId }) => payrollId)

describe('GET /payroll', () => {
  test('returns totals, and no transaction', async () => {
    const { payrolls } = await gateway.client.listPayrolls({ query: { limit: 1 } })
    expect(payrolls).toEqual([
      {
        payrollId: ids[0],
        currentPayrollStatus: 'Unsigned',
        finalStatus: false,
        outcomeUnknown: false,
        from: { account: { bban: bank.main }, name: bank.companyName },
        transactionCount: 1,
        totalAmount: { amount: '20001.50', currency: 'NOK' },
        dueDate: expect.any(String),
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
      },
    ])
  })

  test('returns each once page by page, the oldest first', async () => {
    const found: string[] = []
    let cursor: string | null | undefined
    do {
      const query: PayrollQuery = { limit: 2, ...(cursor == null ? {} : { cursor }) }
      const page = await gateway.client.listPayrolls({ query })
      found.push(...page.payrolls.map(({ payrollId }) => payrollId))
      cursor = page.nextCursor
    } while (cursor !== null)
    expect(found).toEqual(ids)
  })

  test.each<[PayrollQuery, number[]]>([
    [{ endToEndId: 'LISTED-2' }, [1]],
    [{ endToEndId: 'LISTED-9' }, []],
    [{ status: 'Unsigned' }, [0, 1, 2]],
    [{ status: 'Completed' }, []],
    [{ organizationNumber: '987 654 325' }, [0, 1, 2]],
    [{ organizationNumber: '5599901005' }, []],
    [{ fromDate: '2020-01-01', toDate: '2100-01-01' }, [0, 1, 2]],
    [{ toDate: '2020-01-01' }, []],
    [{ updatedSince: '2100-01-01' }, []],
  ])('filtered by %j returns only those', async (query, wanted) => {
    expect(await listed(query)).toEqual(wanted.map((n) => ids[n]))
  })

  test('rejects a cursor of another list', async () => {
    const { nextCursor } = await gateway.client.listPayrolls({ query: { limit: 1 } })
    await expect(gateway.client.listPayments({ query: { cursor: nextCursor ?? '' } })).rejects.toMatchObject({
      status: 422,
    })
  })

  test('returns changed ones in the order of their change', async () => {
    const [, second = ''] = ids
    const before = gateway.context.clock.now().toString()
    await stage.sign(bank, [second])
    expect(await listed({ updatedSince: before })).toEqual([second])
  })

  test('returns one partner’s own: to another it is empty, and without the permission it is rejected', async () => {
    const { client, credentials } = await gateway.otherPartner()
    await expect(client.listPayrolls({ query: {} })).rejects.toMatchObject({ status: 403 })
    const { rows } = await gateway.context.database.pool.query(
      'select partner_id as id from clients where client_id = $1',
      [credentials.clientId],
    )
    const other = { ...credentials, partnerId: String(rows[0]?.id), partnerName: '', callbackOrigins: [] }
    expect(
      await listPayrolls(gateway.context, {
        filter: {},
        limit: 9,
        scope: { partnerId: other.partnerId, list: 'payrolls', filters: {} },
      }),
    ).toEqual({ payrolls: [], nextCursor: null })
    await expect(getPayroll(gateway.context, other, ids[0] ?? '')).rejects.toMatchObject({ reasonCode: 'not-found' })
  })
})
