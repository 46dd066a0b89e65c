/** Tests ordering a payroll at a bank that accepts it as one order: accepted once, or nothing is left of it. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PayrollRequest } from '../../contract/payrolls/payroll-request.ts'
import { nordicBank } from '../testing/banks/nordic-banks.ts'
import { openSandboxBankControl, type SandboxBankControl } from '../testing/banks/sandbox-bank-control.ts'
import { type Answer, sendRawRequest, validHeaders } from '../testing/contract/send-raw-request.ts'
import { startTestGateway, type TestGateway } from '../testing/gateway/test-gateway.ts'
import { openPayrollFixture, PAYROLL_BANKS, type PayrollFixture, salary } from '../testing/payrolls/payroll-fixture.ts'

const bank = nordicBank(PAYROLL_BANKS.bulk)
let gateway: TestGateway
let stage: PayrollFixture
let control: SandboxBankControl
let headers: Record<string, string>
beforeAll(async () => {
  gateway = await startTestGateway()
  stage = openPayrollFixture(gateway)
  control = openSandboxBankControl(gateway.bank)
  await stage.payer.nextMorning()
  headers = await validHeaders(gateway, (await stage.payer.consentOf(bank)).consentId)
})
afterAll(() => gateway.close())

async function sql<Row extends object>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
  return (await gateway.context.database.pool.query(text, [...values])).rows
}

const post = (body: PayrollRequest, more: Record<string, string> = {}): Promise<Answer> =>
  sendRawRequest(gateway, ['POST', '/api/v2/payroll'], { headers: { ...headers, ...more }, body })

const injectFault = (effect: string) =>
  control.postControl('/faults', { bank: bank.bic, operation: 'initiateBulkPayment', effect, times: 1 })

const kept = () =>
  sql<{ count: number }>(`select (select count(*) from payrolls)::int as payrolls,
    (select count(*) from payroll_transaction_chunks)::int as slices, (select count(*) from payroll_transactions)::int as payouts,
    (select count(*) from payments)::int as orders, (select count(*) from idempotency)::int as keys`)

const bulksAtBank = async () => {
  const rows = await sql<{ count: number }>(
    `select count(*)::int as count from sandbox_bank.payments where bank = $1 and service = 'bulk-payments'`,
    [bank.bic],
  )
  return rows[0]?.count
}

describe('a payroll that the bank accepts', () => {
  test('is returned with every transaction in the order of the request, unsigned', async () => {
    const asked = stage.payroll(bank, 3)
    const { payrollId, transactions } = await stage.order(bank, asked)
    const ids = asked.transactions.map(({ metadata }) => metadata.endToEndId)
    const [{ timestamp } = { timestamp: '' }] = transactions
    const unsigned = ids.map((endToEndId) => ({ endToEndId, timestamp, payrollStatus: 'Unsigned' }))
    expect(transactions).toEqual(unsigned)
    expect(await stage.statusOf(payrollId)).toEqual({
      payrollId,
      currentPayrollStatus: 'Unsigned',
      finalStatus: false,
      outcomeUnknown: false,
      transactions: unsigned,
    })
  })

  test('is one order at the bank, for the total sum', async () => {
    const before = await bulksAtBank()
    const amounts = ['0.01', '12345678.90', '33333.33']
    const transactions = amounts.map((amount, n) => salary(bank, 500_000 + n, { amount: { amount, currency: 'NOK' } }))
    await stage.order(bank, stage.payroll(bank, 0, { transactions }))
    expect(await bulksAtBank()).toBe((before ?? 0) + 1)
    const [held] = await sql<{ amount: bigint }>(
      `select amount_minor as amount from sandbox_bank.payments where bank = $1 and service = 'bulk-payments'
       order by created_at desc, id desc limit 1`,
      [bank.bic],
    )
    expect(held?.amount).toBe(1_237_901_224n)
  })

  test('repeated under its key returns the same bytes, and is accepted once', async () => {
    const asked = stage.payroll(bank, 2)
    const before = await bulksAtBank()
    const [first, again] = [
      await post(asked, { 'idempotency-key': 'k-1' }),
      await post(asked, { 'idempotency-key': 'k-1' }),
    ]
    expect(first.status).toBe(200)
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(JSON.stringify(again.body)).toBe(JSON.stringify(first.body))
    expect(await bulksAtBank()).toBe((before ?? 0) + 1)
  })

  test.each([PAYROLL_BANKS.bulk, PAYROLL_BANKS.baskets, PAYROLL_BANKS.chain])(
    'of the same transactions as one of the same day is accepted by %s, with a warning',
    async (bic) => {
      const there = nordicBank(bic)
      const asked = stage.payroll(there, 2)
      const { payrollId, warnings: none = [] } = await stage.order(there, asked)
      expect(none.filter(({ code }) => code === 'PossibleDuplicate')).toEqual([])
      const { warnings } = await stage.order(there, asked)
      expect(warnings).toContainEqual(expect.objectContaining({ code: 'PossibleDuplicate', payrollId }))
    },
  )

  test('of which two equal ones are sent at once is accepted twice, and one response warns of the other', async () => {
    const there = nordicBank(PAYROLL_BANKS.baskets)
    await stage.payer.consentOf(there)
    for (let pair = 0; pair < 5; pair += 1) {
      const asked = stage.payroll(there, 2)
      const both = await Promise.all([stage.order(there, asked), stage.order(there, asked)])
      const named = both.flatMap(({ warnings = [] }) =>
        warnings.flatMap(({ code, payrollId }) => (code === 'PossibleDuplicate' ? [payrollId] : [])),
      )
      expect(named).toHaveLength(1)
      expect(both.map(({ payrollId }) => payrollId)).toContain(named[0])
    }
  })

  test('is no payment for partners', async () => {
    const { payrollId } = await stage.order(bank, stage.payroll(bank, 2))
    const [order] = await sql<{ id: string; endToEndId: string }>(
      'select id, end_to_end_id as "endToEndId" from payments where payroll_id = $1',
      [payrollId],
    )
    const { id = '', endToEndId = '' } = order ?? {}
    for (const path of [`/api/v2/payments/${id}`, `/api/v2/payments/${id}/status`]) {
      expect((await sendRawRequest(gateway, ['GET', path], { headers })).status).toBe(404)
    }
    const callbackUrl = 'http://127.0.0.1:9/back'
    for (const [path, body] of [
      ['approve', { payments: [id], callbackUrl }],
      ['cancel', { paymentId: id, callbackUrl }],
    ] as const) {
      expect((await sendRawRequest(gateway, ['POST', `/api/v2/payments/${path}`], { headers, body })).status).toBe(404)
    }
    const { body } = await sendRawRequest(gateway, ['GET', `/api/v2/payments?endToEndId=${endToEndId}`], { headers })
    expect(body).toEqual({ payments: [], nextCursor: null })
  })

  test('stores no name, creditor account or amount unencrypted', async () => {
    const secret = { name: 'Ingrid Solbakken', amount: { amount: '76123.45', currency: 'NOK' } }
    const remittanceInformation = { type: 'message', value: 'For November' } as const
    const transactions = [salary(bank, 600_000, { ...secret, remittanceInformation }), salary(bank, 600_001)]
    await post(stage.payroll(bank, 0, { transactions }), { 'idempotency-key': 'k-private' })
    const tables = await sql<{ name: string }>(
      `select table_name as name from information_schema.tables where table_schema = 'public'`,
    )
    const texts = await Promise.all(
      tables.map(async ({ name }) => JSON.stringify(await sql(`select t::text from "${name}" t`))),
    )
    const told = [...texts, ...gateway.logLines()].join('\n')
    expect(told.includes('SAL-')).toBe(true)
    for (const hidden of ['Solbakken', bank.supplier, '76123.45', '7612345', 'For November']) {
      expect(told.includes(hidden), hidden).toBe(false)
    }
  })
})

describe('a payroll that the bank rejects', () => {
  test('leaves nothing behind, and the error has the path of the transaction and a text of ours', async () => {
    const transactions = [
      salary(bank, 700_000),
      salary(bank, 700_001, { amount: { amount: '7732.00', currency: 'NOK' } }),
    ]
    const before = await kept()
    const { status, body } = await post(stage.payroll(bank, 0, { transactions }), { 'idempotency-key': 'k-refused' })
    expect({ status, body }).toMatchObject({
      status: 422,
      body: [
        {
          code: 'InvalidAccountNumber',
          path: '.transactions[1].account.bban',
          reason: "The bank does not accept the receiver's account",
        },
      ],
    })
    const after = await kept()
    expect(after).toEqual(before.map((counts) => ({ ...counts, keys: expect.any(Number) })))
    const sound = transactions.map((one) => ({ ...one, amount: { amount: '1.00', currency: 'NOK' } }))
    expect((await post(stage.payroll(bank, 0, { transactions: sound }))).status).toBe(200)
  })

  test('to a giro number is rejected: payrolls are paid to accounts', async () => {
    const swedish = nordicBank(PAYROLL_BANKS.baskets)
    const transactions = [salary(swedish, 710_000), salary(swedish, 710_001, { account: { bban: '5402-9681' } })]
    const { consentId } = await stage.payer.consentOf(swedish)
    const body = stage.payroll(swedish, 0, { transactions })
    expect(await post(body, { 'consent-id': consentId })).toMatchObject({
      status: 422,
      body: [{ code: 'InvalidAccountNumber', path: '.transactions[1].account.bban' }],
    })
  })

  test('from an account that is not on the consent is rejected without calling the bank', async () => {
    const from = { account: { bban: nordicBank('FJORNO22').main }, name: 'Nordlys' }
    const [before, held] = [await kept(), await bulksAtBank()]
    const { status, body } = await post(stage.payroll(bank, 2, { from }))
    expect({ status, failure: Object(body).failure }).toEqual({ status: 400, failure: 'ACCESS_DENIED' })
    expect([await kept(), await bulksAtBank()]).toEqual([before, held])
  })
})

describe('a payroll whose outcome is not known', () => {
  test('is returned with that, stored, and not submitted a second time', async () => {
    const asked = stage.payroll(bank, 2)
    await injectFault('drop-connection')
    const lost = await post(asked, { 'idempotency-key': 'k-lost' })
    const payrollId = Object(lost.body).payrollId
    expect(lost).toMatchObject({ status: 503, body: { payrollId: expect.any(String) } })
    expect(await stage.statusOf(payrollId)).toMatchObject({
      currentPayrollStatus: 'Unsigned',
      outcomeUnknown: true,
      finalStatus: false,
    })
    const held = await bulksAtBank()
    expect(await post(asked, { 'idempotency-key': 'k-lost' })).toMatchObject({ status: 409, body: { payrollId } })
    expect(await post(asked)).toMatchObject({ status: 409, body: { payrollId } })
    const transactions = asked.transactions.map(({ account, amount: { amount, currency }, ...transaction }) => ({
      ...transaction,
      account: { bban: account.bban.replace(/^(\d{4})(\d\d)/, '$1.$2.') },
      amount: { currency, amount: amount.replace('.50', '.5') },
      remittanceInformation: { type: 'message' as const, value: 'Salary' },
    }))
    expect(await post({ ...asked, transactions })).toMatchObject({ status: 409, body: { payrollId } })
    expect(await bulksAtBank()).toBe(held)
  })
})
