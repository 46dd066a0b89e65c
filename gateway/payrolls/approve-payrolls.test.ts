/** Tests approving payrolls: what may be signed together, by whom, what the user sees, and the result. */
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { nordicBank } from '../testing/banks/nordic-banks.ts'
import { openSandboxBankControl } from '../testing/banks/sandbox-bank-control.ts'
import { openBrowser } from '../testing/browser/bank-user.ts'
import { sendRawRequest, UNKNOWN_ID, validHeaders } from '../testing/contract/send-raw-request.ts'
import { startTestGateway, type TestGateway } from '../testing/gateway/test-gateway.ts'
import { acceptedConsent, CALLBACK, KARI } from '../testing/payments/sample-payments.ts'
import { openPayrollFixture, PAYROLL_BANKS, type PayrollFixture } from '../testing/payrolls/payroll-fixture.ts'

const OPERATION = ['POST', '/api/v2/payroll/approve'] as const

let gateway: TestGateway
let stage: PayrollFixture
beforeAll(async () => {
  gateway = await startTestGateway()
  stage = openPayrollFixture(gateway)
  await stage.payer.nextMorning()
})
afterAll(() => gateway.close())

const fjell = nordicBank(PAYROLL_BANKS.bulk)
const vestkyst = nordicBank(PAYROLL_BANKS.bulkOwnIds)

async function ordered(bank = fjell, count = 3): Promise<string> {
  return (await stage.order(bank, stage.payroll(bank, count))).payrollId
}

async function rejected(body: object, bank = fjell) {
  const { consentId } = await stage.payer.consentOf(bank)
  return await sendRawRequest(gateway, OPERATION, {
    headers: await validHeaders(gateway, consentId),
    body: { callbackUrl: CALLBACK, ...body },
  })
}

async function start(bank: typeof fjell, payrolls: readonly string[], userId: string = bank.users[0]) {
  const body = { payrolls: [...payrolls], callbackUrl: CALLBACK }
  return await gateway.client.approvePayrolls({ ...(await stage.payer.consentOf(bank, userId)), body })
}

async function play(approvalId: string, decision: 'sign' | 'reject' | 'leave', userId: string) {
  const params = { approvalId, decision } as const
  return (await gateway.client.decideSandboxApproval({ params, body: { userId } })).outcome
}

async function read(bank: typeof fjell, approvalId: string) {
  return await gateway.client.getPayrollApproval({ ...(await stage.payer.consentOf(bank)), params: { approvalId } })
}

describe('a payroll that its bank holds as one order', () => {
  it('takes one signature, and has the status of the payroll', async () => {
    const payrollId = await ordered()
    const { id, status, sca, payrolls } = await start(fjell, [payrollId])
    expect(status).toBe('STARTED')
    expect(sca).toMatchObject({ type: 'redirect', url: expect.stringContaining('/signing/') })
    expect(payrolls).toEqual([{ payrollId, result: 'STARTED', currentPayrollStatus: 'Unsigned' }])
    expect(await play(id, 'sign', fjell.users[0])).toBe('success')
    expect(await read(fjell, id)).toMatchObject({
      status: 'ACCEPTED',
      payrolls: [{ payrollId, result: 'ACCEPTED', currentPayrollStatus: 'InProgress' }],
    })
    expect(await stage.counts(payrollId)).toEqual({ InProgress: 3 })
  })

  test('is requested on its own, too, or together with a list', async () => {
    const [one, other] = [await ordered(), await ordered()]
    const shown = await stage.payer.consentOf(fjell)
    const alone = await gateway.client.approvePayrolls({ ...shown, body: { payrollId: one, callbackUrl: CALLBACK } })
    expect(alone.payrolls).toMatchObject([{ payrollId: one }])
    const body = { payrollId: one, payrolls: [other], callbackUrl: CALLBACK }
    expect((await gateway.client.approvePayrolls({ ...shown, body })).payrolls).toMatchObject([{ payrollId: other }])
  })

  test.each(['createSigningBasket', 'startSigningBasketAuthorisation'])(
    'is rejected without the text of a bank that rejects %s: it may name a salary',
    async (operation) => {
      const payrolls = [await ordered(vestkyst, 1), await ordered(vestkyst, 1)]
      const control = openSandboxBankControl(gateway.bank)
      const fault = { effect: 'status', status: 403, code: 'SERVICE_BLOCKED', times: 1 }
      await control.postControl('/faults', { bank: vestkyst.bic, operation, ...fault })
      expect(await rejected({ payrolls }, vestkyst)).toMatchObject({
        status: 400,
        body: { message: 'The bank denies access: The bank does not permit the user to pay from this account' },
      })
    },
  )

  it.each(['reject', 'leave'] as const)('may be approved again after its user chose to %s', async (decision) => {
    const payrollId = await ordered()
    const first = await start(fjell, [payrollId])
    await play(first.id, decision, fjell.users[0])
    expect(['REJECTED', 'CANCELLED']).toContain((await read(fjell, first.id)).status)
    expect(await stage.counts(payrollId)).toEqual({ Unsigned: 3 })
    const second = await start(fjell, [payrollId])
    expect(await play(second.id, 'sign', fjell.users[0])).toBe('success')
  })

  test('signed already cannot be signed again', async () => {
    const payrollId = await ordered()
    await stage.sign(fjell, [payrollId])
    expect(await rejected({ payrolls: [payrollId] })).toMatchObject({
      status: 422,
      body: [{ path: '.payrolls[0]', reason: expect.stringMatching(/cannot be signed: it is InProgress/) }],
    })
  })

  test('signed already, which its bank does not show yet, cannot be signed again until it does', async () => {
    const payrollId = await ordered()
    await gateway.context.database.pool.query('update payments set signed = true where payroll_id = $1', [payrollId])
    expect(await rejected({ payrolls: [payrollId] })).toMatchObject({
      status: 422,
      body: [{ path: '.payrolls[0]', reason: expect.stringMatching(/cannot be signed: its bank does not show yet/) }],
    })
  })
})

it('right after it was ordered waits until the bank holds all of its transactions, which are submitted one by one', async () => {
  const bank = nordicBank(PAYROLL_BANKS.baskets)
  const control = openSandboxBankControl(gateway.bank)
  await control.postControl('/faults', {
    bank: bank.bic,
    operation: 'initiatePayment',
    effect: 'slow',
    milliseconds: 300,
  })
  const payrollId = await ordered(bank, 10)
  const submitting = stage.submit()
  expect(await start(bank, [payrollId])).toMatchObject({ status: 'STARTED', sca: { type: 'redirect' } })
  await submitting
  await control.clearFaults()
})

describe('several payrolls', () => {
  it('are signed with one signature where their bank supports baskets of bulks, each with its result', async () => {
    const payrolls = [await ordered(vestkyst, 2), await ordered(vestkyst, 1)]
    const { id } = await start(vestkyst, payrolls)
    expect(await play(id, 'sign', vestkyst.users[0])).toBe('success')
    const reported = await read(vestkyst, id)
    expect(reported.payrolls).toEqual(
      payrolls.map((payrollId) => ({ payrollId, result: 'ACCEPTED', currentPayrollStatus: 'InProgress' })),
    )
    expect(await signaturesOf(id)).toEqual(['basket'])
  })

  it('are signed in turn behind one link elsewhere', async () => {
    const payrolls = [await ordered(fjell, 2), await ordered(fjell, 2)]
    const { id } = await start(fjell, payrolls)
    expect(await play(id, 'sign', fjell.users[0])).toBe('success')
    expect((await read(fjell, id)).payrolls).toMatchObject([{ result: 'ACCEPTED' }, { result: 'ACCEPTED' }])
    expect(await signaturesOf(id)).toEqual(['payment', 'payment'])
  })

  it('exceed the limit of signatures at the eleventh', async () => {
    const payrolls = await Promise.all(Array.from({ length: 11 }, () => ordered(fjell, 1)))
    expect(await rejected({ payrolls })).toMatchObject({ status: 422, body: [{ path: '.payrolls[10]' }] })
  })
})

describe('a payroll that needs two signatures', () => {
  it('is signed by both, and a second signature of the same user is rejected', async () => {
    const from = { account: { bban: vestkyst.twoSigners }, name: vestkyst.companyName }
    const { payrollId } = await stage.order(vestkyst, stage.payroll(vestkyst, 2, { from }))
    const [first, second] = vestkyst.users
    expect(await play((await start(vestkyst, [payrollId], first)).id, 'sign', first)).toBe('success')
    expect(await stage.statusOf(payrollId)).toMatchObject({
      currentPayrollStatus: 'CustomerActionRequired',
      transactions: Array(2).fill({ payrollStatusReason: 'PartlySigned' }),
    })
    await expect(start(vestkyst, [payrollId], first)).rejects.toMatchObject({
      failure: 'ACCESS_DENIED',
      message: expect.stringContaining(`payroll ${payrollId}`),
    })
    expect(await play((await start(vestkyst, [payrollId], second)).id, 'sign', second)).toBe('success')
    expect(await stage.counts(payrollId)).toEqual({ InProgress: 2 })
  })
})

describe('what the user sees', () => {
  it('is count, sum, account and date, and no personal data; the stored summary is encrypted', async () => {
    const payroll = stage.payroll(fjell, 3)
    const { payrollId } = await stage.order(fjell, payroll)
    const { id, sca } = await start(fjell, [payrollId])
    const page = await openBrowser().get(sca?.url ?? '')
    const minor = payroll.transactions.reduce((sum, { amount }) => sum + Number(amount.amount.replace('.', '')), 0)
    const whole = String(Math.trunc(minor / 100)).replace(/\B(?=(\d{3})+$)/g, '[\\s,\u00a0]')
    expect(page).toMatch(new RegExp(`${whole}[.,]50`))
    expect(page).toContain('>3<')
    expect(page).toContain('8051.11.00015')
    for (const { name, amount } of payroll.transactions) {
      expect(page).not.toContain(name)
      expect(page).not.toContain(amount.amount.split('.')[0])
    }
    const { rows } = await gateway.context.database.pool.query(
      `select shown::text, shown_sealed from sca_steps s join sca_sessions g on g.id = s.sca_session_id
       where g.subject_id = $1`,
      [id],
    )
    expect(rows).toEqual([{ shown: '[]', shown_sealed: expect.any(Buffer) }])
  })

  it('is a page of ours with the QR code where codes are scanned: partners get a link only', async () => {
    const bank = nordicBank(PAYROLL_BANKS.baskets)
    const payrollId = await ordered(bank, 1)
    const shown = await stage.payer.consentOf(bank)
    const body = { payrolls: [payrollId], callbackUrl: CALLBACK, preferredScaMethod: 'Qr' as const }
    await stage.submit()
    const { sca } = await gateway.client.approvePayrolls({ ...shown, body })
    expect(sca).toMatchObject({ type: 'redirect' })
  })
})

describe('an approval', () => {
  test('of a payroll with an unknown outcome is rejected', async () => {
    const control = openSandboxBankControl(gateway.bank)
    const fault = { bank: fjell.bic, operation: 'initiateBulkPayment', effect: 'drop-connection', times: 1 }
    await control.postControl('/faults', fault)
    await expect(ordered(fjell, 1)).rejects.toMatchObject({ status: 503 })
    await control.clearFaults()
    await gateway.context.banks.resetFailures()
    const { rows } = await gateway.context.database.pool.query('select id from payrolls order by id desc limit 1')
    expect(await rejected({ payrolls: [rows[0].id] })).toMatchObject({
      status: 422,
      body: [{ path: '.payrolls[0]', reason: expect.stringContaining('it is unknown whether') }],
    })
  })

  test('of a payroll listed twice is rejected at the second', async () => {
    const payrollId = await ordered(fjell, 1)
    expect(await rejected({ payrolls: [payrollId, payrollId.toUpperCase()] })).toMatchObject({
      status: 422,
      body: [
        { path: '.payrolls[1]', reason: expect.stringContaining('payrolls[1] is the same payroll as .payrolls[0]') },
      ],
    })
  })

  test('of neither a list nor a payroll is rejected', async () => {
    expect((await rejected({})).status).toBe(422)
    expect((await rejected({ payrolls: [] })).status).toBe(422)
  })

  test('of an unknown payroll, or of a payment, returns 404', async () => {
    expect((await rejected({ payrolls: [UNKNOWN_ID] })).status).toBe(404)
    expect((await rejected({ payrollId: 'none' })).status).toBe(404)
    const { paymentId } = await stage.payer.order(fjell)
    expect((await rejected({ payrolls: [paymentId] })).status).toBe(404)
  })

  test('under a consent of another bank is rejected at the payroll', async () => {
    const payrollId = await ordered(fjell, 1)
    expect(await rejected({ payrollId }, vestkyst)).toMatchObject({
      status: 422,
      body: [{ path: '.payrollId', reason: expect.stringContaining(fjell.bic) }],
    })
  })

  test('of another partner’s payroll returns 404', async () => {
    const payrollId = await ordered(fjell, 1)
    const other = await gateway.otherPartner()
    await allowPayrolls(other.credentials.clientId)
    const consent = await acceptedConsent(other, KARI)
    const body = { payrollId, callbackUrl: CALLBACK }
    await expect(other.client.approvePayrolls({ ...consent, body })).rejects.toMatchObject({ status: 404 })
  })

  test('of a payroll is not found among those of payments, and vice versa: 404', async () => {
    const payrollId = await ordered(fjell, 1)
    const shown = await stage.payer.consentOf(fjell)
    const { id: approvalId } = await start(fjell, [payrollId])
    const params = { approvalId }
    await expect(gateway.client.getPaymentApproval({ ...shown, params })).rejects.toMatchObject({ status: 404 })
    const { paymentId } = await stage.payer.order(fjell)
    const { id } = await gateway.client.approvePayments({
      ...shown,
      body: { payments: [paymentId], callbackUrl: CALLBACK },
    })
    await expect(read(fjell, id)).rejects.toMatchObject({ status: 404 })
  })
})

async function signaturesOf(approvalId: string): Promise<readonly string[]> {
  const { rows } = await gateway.context.database.pool.query(
    `select target_type from sca_steps s join sca_sessions g on g.id = s.sca_session_id
     where g.subject_id = $1 order by position`,
    [approvalId],
  )
  return rows.map((row) => row.target_type)
}

async function allowPayrolls(clientId: string): Promise<void> {
  await gateway.context.database.pool.query('update clients set payroll = true where client_id = $1', [clientId])
}
