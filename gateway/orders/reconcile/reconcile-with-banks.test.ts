/** Tests at sandbox banks that orders which the database has lost are found, once each, and nothing of others. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PaymentInitiated } from '../../../contract/payments/payment-operations.ts'
import { shortenEndToEndId } from '../../banks/connector/shorten-end-to-end-id.ts'
import { searchTasks } from '../../operators/search-tasks.ts'
import { nordicBank } from '../../testing/banks/nordic-banks.ts'
import { openSandboxBankControl } from '../../testing/banks/sandbox-bank-control.ts'
import { passTime } from '../../testing/gateway/pass-time.ts'
import { startTestGateway, type TestGateway } from '../../testing/gateway/test-gateway.ts'
import { openPaymentDriver, type PaymentDriver } from '../../testing/payments/payment-driver.ts'
import { domesticPayment } from '../../testing/payments/sample-payments.ts'
import { reconcileWithBanks } from './reconcile-with-banks.ts'
import type { Reconciliation } from './reconciliation.ts'

const SAIMAA = nordicBank('SAIMFIHH')
const OERESUND = nordicBank('ORESDK22')
const FJORD = nordicBank('FJORNO22')
const KEY = 'the-key-of-a-lost-request'
/** Longer than banks accept, as every UUID is. */
const [LOST, ENDED] = ['01a2194a-522a-7000-9e86-2bb7227d115f', '01a2194a-6b1e-7000-8a4c-0c1d2e3f4a5b']
const atBank = (endToEndId: string) => shortenEndToEndId(endToEndId, 35)

let gateway: TestGateway
let fjord: Awaited<ReturnType<PaymentDriver['consentOf']>>
let held: PaymentInitiated
let lost: PaymentInitiated
let ended: PaymentInitiated
let unsigned: { readonly paymentId: string; readonly body: ReturnType<typeof domesticPayment> }
beforeAll(async () => {
  gateway = await startTestGateway()
  const payer = openPaymentDriver(gateway)
  await payer.nextMorning()
  held = await payer.order(SAIMAA)
  lost = await payer.order(SAIMAA, { metadata: { endToEndId: LOST } })
  ended = await payer.order(SAIMAA, { metadata: { endToEndId: ENDED } })
  for (const { paymentId } of [held, lost, ended]) {
    await payer.sign(SAIMAA, paymentId)
  }
  const body = domesticPayment(gateway)
  fjord = await payer.consentOf(FJORD)
  unsigned = { ...(await gateway.client.initiateDomesticPayment({ ...fjord, body, idempotencyKey: KEY })), body }
  await payer.consentOf(OERESUND)
  const control = openSandboxBankControl(gateway.bank)
  const foreign = { counterparty: 'Another', message: 'Rent' }
  for (const [amount, endToEndId] of [
    ['-21.30', 'Rent of May'],
    ['-21.31', undefined],
    ['99.00', 'INV-7-3'],
  ] as const) {
    await control.postControl(`/accounts/${SAIMAA.main}/entries`, {
      ...foreign,
      amount,
      ...(endToEndId && { endToEndId }),
    })
  }
  // The bank executes the signed orders, and rejects the unsigned one after its due date.
  await passTime(gateway, 'PT72H')
  await control.postControl('/faults', {
    bank: OERESUND.bic,
    operation: 'getTransactions',
    effect: 'status',
    status: 503,
  })
  await loseRows(lost.paymentId)
  await loseRows(unsigned.paymentId)
  await sql(`update payments set status = 'Rejected', settled_by = null where id = $1`, [ended.paymentId])
})
afterAll(() => gateway.close())

const sql = async (text: string, values: readonly unknown[]) =>
  await gateway.context.database.pool.query(text, [...values])

/** As a database restored to a point in time before the order. */
async function loseRows(paymentId: string): Promise<void> {
  await sql('delete from idempotency where subject_id = $1', [paymentId])
  await sql('delete from payment_history where payment_id = $1', [paymentId])
  await sql('delete from payments where id = $1', [paymentId])
}

async function* lines(): AsyncIterable<string> {
  yield 'a line of another program'
  yield JSON.stringify({ log: JSON.stringify({ msg: 'an order is submitted to its bank' }) })
  for (const line of gateway.logLines()) {
    yield `Nov 23 09:41:00 host havn[4711]: ${line}`
  }
}

async function reconcile(withLog: boolean): Promise<Reconciliation> {
  const { clock } = gateway.context
  const window = { from: clock.real().subtract({ hours: 24 }), to: clock.now().add({ hours: 24 }) }
  const log = withLog ? { log: lines() } : {}
  return await reconcileWithBanks(gateway.context, { window, actor: 'operator Kim', ...log })
}

const openTasks = async () => {
  const filter = { kind: undefined, status: undefined, partnerId: null, after: undefined }
  return (await searchTasks(gateway.context, filter, 100)).map(({ kind, subjectId, detail }) => ({
    kind,
    subjectId,
    detail,
  }))
}

describe('a reconciliation', () => {
  test('finds on accounts what the database has lost or holds as ended, and no entry of others', async () => {
    const { accounts, orders } = await reconcile(false)
    expect(orders.map(({ kind, detail, isNew }) => [kind, detail['endToEndId'], isNew]).toSorted()).toEqual([
      ['ExecutedAfterEnd', atBank(ENDED), true],
      ['UnrecordedOrder', atBank(LOST), true],
    ])
    expect(await openTasks()).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ kind: 'ExecutedAfterEnd', subjectId: ended.paymentId }),
        expect.objectContaining({ kind: 'UnrecordedOrder', detail: expect.objectContaining({ bank: SAIMAA.bic }) }),
      ]),
    )
    const outcomeOf = (bic: string) =>
      new Set(accounts.filter(({ bank }) => bank === bic).map(({ outcome }) => outcome))
    expect(outcomeOf(SAIMAA.bic)).toEqual(new Set(['compared']))
    expect(outcomeOf(OERESUND.bic)).toEqual(new Set(['failed']))
    expect(outcomeOf(FJORD.bic)).toEqual(new Set(['without-ids']))
  })

  test('with the log finds orders that no entry shows, with their status at the bank, and raises no second task', async () => {
    const before = await openTasks()
    const { orders, ...counts } = await reconcile(true)
    expect(counts).toMatchObject({ submissionsInLog: 4, unreadableLines: 1, keysBlocked: 2 })
    const fromLog = orders.find(({ detail }) => detail['paymentId'] === unsigned.paymentId)
    expect(fromLog).toMatchObject({
      kind: 'UnrecordedOrder',
      isNew: true,
      detail: { bank: FJORD.bic, bankStatus: 'RJCT', bankPaymentId: expect.any(String) },
    })
    expect(orders.filter(({ isNew }) => isNew)).toEqual([fromLog])
    expect(await openTasks()).toHaveLength(before.length + 1)
    expect(await reconcile(true)).toMatchObject({
      keysBlocked: 0,
      orders: orders.map((order) => ({ ...order, isNew: false })),
    })
  })

  test('keeps a repetition of a lost request from submitting its order again', async () => {
    const control = openSandboxBankControl(gateway.bank)
    const before = await control.payments()
    const repeated = gateway.client.initiateDomesticPayment({ ...fjord, body: unsigned.body, idempotencyKey: KEY })
    await expect(repeated).rejects.toMatchObject({
      status: 409,
      message: expect.stringContaining('not submitted again'),
    })
    expect(await control.payments()).toEqual(before)
  })
})
