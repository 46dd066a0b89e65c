/** Journey: known quirks of banks with this standard, at sandbox banks that simulate them. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startBase64IdProxy } from '../banks/testing/base64-id-proxy.ts'
import { bankCallerOf } from '../consents/call-bank.ts'
import { consentOf } from '../consents/consent-lookup.ts'
import { getOpenTasks } from '../operators/resolve-task.ts'
import { addSecondBank } from '../testing/banks/add-second-bank.ts'
import { type NordicBank, nordicBank, testedBanks } from '../testing/banks/nordic-banks.ts'
import { openSandboxBankControl, type SandboxBankControl } from '../testing/banks/sandbox-bank-control.ts'
import { forEachRow } from '../testing/for-each-row.ts'
import { passTime, passUntil } from '../testing/gateway/pass-time.ts'
import { startTestGateway, type TestGateway } from '../testing/gateway/test-gateway.ts'
import { openApprovalDriver } from '../testing/payments/approval-driver.ts'
import { openPaymentDriver, type PaymentDriver } from '../testing/payments/payment-driver.ts'
import { CALLBACK } from '../testing/payments/sample-payments.ts'
import { disablePaymentPolling } from '../testing/payments/settle-payments.ts'
import { bankPaymentIdOf } from '../testing/payments/sign-in-netbank.ts'
import { openPayrollFixture } from '../testing/payrolls/payroll-fixture.ts'

/** More than fit on two pages of the sandbox's banks. */
const ENTRIES = 101

let gateway: TestGateway
let bank: SandboxBankControl
let payer: PaymentDriver
let today: Temporal.PlainDate
beforeAll(async () => {
  gateway = await startTestGateway()
  bank = openSandboxBankControl(gateway.bank)
  payer = openPaymentDriver(gateway)
})
afterAll(() => gateway.close())
beforeEach(async () => {
  await disablePaymentPolling(gateway)
  today = await payer.nextMorning()
})

async function sql<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
  return (await gateway.context.database.pool.query<Row>(text, values)).rows
}

test('status call before SCA: every bank is read, and the payment is still Unsigned', async () => {
  const nameOf = ({ bic }: NordicBank) => `At ${bic}`
  const ordered = await forEachRow(testedBanks, nameOf, (at) => payer.order(at))
  await sql("update payments set poll_at = '2020-01-01', lease_until = null where poll_at is not null")
  await gateway.sweep()
  for (const [{ bic }, { paymentId, paymentStatus }] of ordered) {
    const { status, timestamp } = await payer.statusOf(paymentId)
    const isLater = Temporal.Instant.compare(timestamp, paymentStatus.timestamp) === 1
    expect({ bic, status, isLater }).toEqual({ bic, status: 'Unsigned', isLater: true })
  }
})

describe('DELETE 200/202/204: an unsigned order is cancelled at the end of its due day', () => {
  const CONFIRMING = ['AURAFIHH', 'FJORNO22', 'BLTBDK22']
  const paymentIds = new Map<string, string>()
  beforeAll(async () => {
    await payer.nextMorning()
    for (const bic of [...CONFIRMING, 'LIMFDK22']) {
      paymentIds.set(bic, await leftUnsigned(nordicBank(bic)))
    }
    await passTime(gateway, 'PT48H')
  })

  test.each(CONFIRMING)('%s confirms that in its own way, and it is Cancelled', async (bic) => {
    const paymentId = paymentIds.get(bic) ?? ''
    expect(await payer.statusOf(paymentId)).toMatchObject({ status: 'Cancelled' })
    expect(await tasksAbout(paymentId)).toEqual([])
  })

  test('LIMFDK22 cancels nothing: it stays Unsigned, and operators are notified', async () => {
    const paymentId = paymentIds.get('LIMFDK22') ?? ''
    expect(await payer.statusOf(paymentId)).toMatchObject({ status: 'Unsigned' })
    expect(await tasksAbout(paymentId)).toEqual(['CannotBeWithdrawn'])
  })

  /** The id of an order that the bank does not delete by itself. */
  async function leftUnsigned(at: NordicBank): Promise<string> {
    const { paymentId } = await payer.order(at)
    await bank.postControl(`/payments/${await bankPaymentIdOf(gateway, paymentId)}/status`, {
      transactionStatus: 'RCVD',
    })
    return paymentId
  }

  async function tasksAbout(paymentId: string): Promise<string[]> {
    const tasks = await getOpenTasks(gateway.context)
    return tasks.filter(({ subjectId }) => subjectId === paymentId).map(({ kind }) => kind)
  }
})

test('paging with relative next: every entry of an account at HAVBNO22 is read, each once', async () => {
  const at = nordicBank('HAVBNO22')
  const { consentId } = await payer.consentOf(at)
  const entriesOfCustomers = Array.from({ length: ENTRIES }, (_, n) => ({
    amount: `${n + 1}.00`,
    counterparty: `Kunde ${n + 1}`,
  }))
  await bank.postControl(`/accounts/${at.main}/entries/import`, { entries: entriesOfCustomers })
  const row = (await gateway.context.banks.find(at.bic)) ?? expect.fail('The bank is not there')
  const { accounts } = gateway.context.banks.connectorOf(row)
  const [stored] = await sql<{ resource: string; partnerId: string }>(
    `select resource_id as resource, partner_id as "partnerId" from consent_accounts
     where consent_id = $1 and bban = $2`,
    [consentId, at.main],
  )
  const consent = (await consentOf(gateway.context, { partnerId: stored?.partnerId ?? '', consentId })) ?? expect.fail()
  const caller = await bankCallerOf(gateway.context, { bank: row, consent, service: 'AIS', psu: null })
  const days = { from: today, to: today }
  const entries = await accounts?.bookedEntries(caller, stored?.resource ?? '', days)
  expect(new Set(entries?.map(({ amount }) => amount.minor)).size).toBe(ENTRIES)
  expect(entries).toHaveLength(ENTRIES)
})

// `tolerant-answers.test.ts` shows for every answer that fields which are null or blank are read as absent, like these.
describe('optional fields of every answer in another shape', () => {
  // Has bulks as well as baskets.
  const at = nordicBank('VSKYNO22')
  const control = () => openSandboxBankControl(gateway.bank, at.bic)
  beforeEach(() => control().injectFault({ operation: '*', effect: 'malform', mode: 'other-shape' }))
  afterEach(() => control().clearFaults())

  test('accounts and entries are read, and orders are signed, cancelled and executed', async () => {
    const { client } = gateway
    // No consent of another test: this one begins with a consent.
    const { payer: driver, ...payrolls } = openPayrollFixture(gateway)
    const consent = await driver.consentOf(at)
    const { accounts } = await client.listAccounts(consent)
    const account = accounts.find(({ bban }) => bban === at.main) ?? expect.fail('The main account is not listed')
    expect(account).toMatchObject({ bban: at.main, currency: at.currency })
    const order = async (amount: string) =>
      (await driver.order(at, { amount: { amount, currency: at.currency } })).paymentId
    const [single, cancelled, first, second] = [
      await order('1.01'),
      await order('1.02'),
      await order('1.03'),
      await order('1.04'),
    ]
    expect(await driver.statusOf(single)).toMatchObject({ status: 'Unsigned' })
    expect(await driver.sign(at, single)).toMatchObject({ status: 'InProgress' })
    await client.cancelPayment({ ...consent, body: { paymentId: cancelled, callbackUrl: CALLBACK } })
    expect(await driver.statusOf(cancelled)).toMatchObject({ status: 'Cancelled' })
    const body = { payments: [first, second], callbackUrl: CALLBACK }
    const { id: approvalId } = await client.approvePayments({ ...consent, body })
    const decision = { params: { approvalId, decision: 'sign' }, body: { userId: at.users[0] } } as const
    expect((await client.decideSandboxApproval(decision)).outcome).toBe('success')
    const payroll = payrolls.payroll(at, 3)
    const { payrollId } = await payrolls.order(at, payroll)
    expect(await payrolls.sign(at, [payrollId])).toBe('success')
    const dayAfter = Temporal.Instant.from(`${payroll.dueDate}T08:00:00Z`).add({ hours: 24 })
    await passUntil(gateway, dayAfter)
    const statuses = await Promise.all([single, first, second].map((id) => driver.statusOf(id)))
    expect(statuses.map(({ status }) => status)).toEqual(['Completed', 'Completed', 'Completed'])
    expect(await payrolls.counts(payrollId)).toEqual({ Completed: 3 })
    const { accountEntries } = await client.listAccountEntries({
      ...consent,
      params: { accountId: account.id },
      query: { fromDate: today.toString(), toDate: payroll.dueDate },
    })
    const amounts = accountEntries.map(({ postedAmount }) => postedAmount.amount)
    expect(amounts).toEqual(expect.arrayContaining([1.01, 1.03, 1.04]))
  })
})

test('an answer that cannot be read is called that, and logged with its field', async () => {
  const at = nordicBank('FJORNO22')
  const consent = await payer.consentOf(at)
  const { client } = gateway
  const malform = (operation: string, field: string) =>
    bank.injectFault({ operation, effect: 'malform', mode: 'null', fields: [field], times: 1 })
  await malform('getBalances', 'balances')
  const { accounts } = await client.listAccounts(consent)
  const params = { accountId: accounts[0]?.id ?? '' }
  await expect(client.getAccountBalance({ ...consent, params })).rejects.toMatchObject({
    status: 503,
    message: expect.stringContaining('answered in a form that Havn cannot read'),
  })
  await malform('initiatePayment', 'paymentId')
  await expect(payer.order(at)).rejects.toMatchObject({
    status: 503,
    message: expect.stringMatching(/answered in a form that Havn cannot read.*poll the payment/),
  })
  const log = gateway.logLines().join('\n')
  expect(log).toMatch(/"operation":"getBalances","field":"balances","reason":"is null","effect":"unreadable"/)
  expect(log).toMatch(/"operation":"initiatePayment","field":"paymentId","reason":"is null","effect":"unreadable"/)
  const [task] = (await getOpenTasks(gateway.context)).filter(({ kind }) => kind === 'UnknownOutcome')
  expect(JSON.stringify(task?.detail)).toContain('paymentId is null')
})

test('ids with slashes: consent, order, signature, polls, cancellation and reads of the account go on as with any other', async () => {
  const proxy = await startBase64IdProxy(gateway.bank.xs2aUrl)
  await addSecondBank(gateway, proxy.url)
  await expect.poll(() => gateway.context.banks.find('HAVNNO22')).toBeDefined()
  const fjordbanken = nordicBank('FJORNO22')
  const [payer, second, viewer] = fjordbanken.users
  const at: NordicBank = { ...fjordbanken, bic: 'HAVNNO22', users: [second, payer, viewer] }
  const { payer: user, ...approvals } = openApprovalDriver(gateway)
  const consent = await user.consentOf(at)
  const [signed = '', cancelled = '', ...tied] = await approvals.order(at, 4)
  expect(await bankPaymentIdOf(gateway, signed)).toMatch(/^\/\/\/\/.{22}==$/)
  expect(await user.sign(at, signed)).toMatchObject({ status: 'InProgress' })
  const { url } = await approvals.approve(at, tied)
  expect(await approvals.signChain(url, at.users[0], 2)).toBe('success')
  await gateway.sweep()
  expect(await approvals.statuses(tied)).toEqual(['InProgress', 'InProgress'])
  await gateway.client.cancelPayment({ ...consent, body: { paymentId: cancelled, callbackUrl: CALLBACK } })
  await gateway.sweep()
  expect(await user.statusOf(cancelled)).toMatchObject({ status: 'Cancelled' })
  const { accounts } = await gateway.client.listAccounts(consent)
  const params = { accountId: accounts.find(({ bban }) => bban === at.main)?.id ?? '' }
  expect(await gateway.client.getAccountBalance({ ...consent, params })).toMatchObject({ bookedBalance: {} })
  expect(await user.settled(signed)).toMatchObject({ status: 'Completed' })
  await proxy.close()
  expect(proxy.requested.filter((path) => path.includes('////'))).toEqual([])
  expect(proxy.requested.join(' ')).toMatch(/\/%2F%2F%2F%2F[^/ ]+\/authorisations\/%2F%2F%2F%2F/)
})

// `settle-by-entries.test.ts` shows which entries complete which payments.
test.each(['SKARSESS', 'AURAFIHH'])(
  'no status of settlement: a payment at %s is Completed by its entry',
  async (bic) => {
    const at = nordicBank(bic)
    const { paymentId } = await payer.order(at)
    expect(await payer.sign(at, paymentId)).toMatchObject({ status: 'InProgress' })
    expect(await payer.settled(paymentId)).toMatchObject({ status: 'Completed' })
    const settled = await sql(
      'select bank_status as "bankStatus", settled_by as "settledBy" from payments where id = $1',
      [paymentId],
    )
    expect(settled).toEqual([{ bankStatus: expect.stringMatching(/^AC(CP|SP)$/), settledBy: expect.any(String) }])
  },
)
