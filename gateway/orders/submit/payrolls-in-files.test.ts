/** Tests payrolls at a bank that accepts files: ordered, sent once, and followed by the bank's reports alone. */
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { randomCases } from '../../../setup/random-cases.ts'
import { type FileBankFixture, openFileBank } from '../../testing/banks/file-bank.ts'
import { crashingDatabase } from '../../testing/database/crashing-database.ts'
import { passTime } from '../../testing/gateway/pass-time.ts'
import { startTestGateway, type TestGateway } from '../../testing/gateway/test-gateway.ts'
import { CALLBACK, PSU } from '../../testing/payments/sample-payments.ts'
import { processPaymentFile } from './send-payment-file.ts'

let gateway: TestGateway
let stage: FileBankFixture
beforeAll(async () => {
  gateway = await startTestGateway()
  stage = await openFileBank(gateway)
})
afterAll(async () => {
  await stage.close()
  await gateway.close()
})

const rows = async (text: string, values: readonly unknown[] = []) =>
  (await gateway.context.database.pool.query(text, [...values])).rows

/** A payroll that the bank has accepted. */
async function sent(count: number, requested = stage.payroll(count)) {
  const { payrollId } = await stage.order(requested)
  await gateway.sweep()
  const [[messageId, text] = ['', '']] = await stage.take()
  return { requested, payrollId, messageId, text }
}

const LONG = 'of November 2026, of the employees in Bergen'

async function statuses(payrollId: string) {
  const { currentPayrollStatus, transactions } = await stage.statusOf(payrollId)
  return [currentPayrollStatus, ...transactions.map(({ payrollStatus }) => payrollStatus)]
}

describe('a payroll at a bank that accepts files', () => {
  test('is returned unsigned, and is at the bank once the worker has run', async () => {
    const requested = stage.payroll(3)
    const { payrollId } = await stage.order(requested)
    expect(await statuses(payrollId)).toEqual(Array(4).fill('Unsigned'))
    expect(await stage.take()).toEqual(new Map())
    await gateway.sweep()
    const files = await stage.take()
    const [text = ''] = files.values()
    expect(files.size).toBe(1)
    for (const { metadata, name, amount } of requested.transactions) {
      expect(text).toContain(`<EndToEndId>${metadata.endToEndId}</EndToEndId>`)
      expect(text).toContain(`<Nm>${name}</Nm>`)
      expect(text).toContain(`<InstdAmt Ccy="NOK">${amount.amount}</InstdAmt>`)
    }
    expect(text).toContain('<CtgyPurp><Cd>SALA</Cd></CtgyPurp>')
    expect(text).toContain('<Id>CUSTOMER-7</Id>')
    await gateway.sweep()
    expect((await stage.take()).size).toBe(0)
  })

  test('of more than one chunk is one file, with the sum that was ordered', async () => {
    const { text } = await sent(1_203)
    expect(text.match(/<CdtTrfTxInf>/g)).toHaveLength(1_203)
    const ordered = Array.from({ length: 1_203 }, (_none, index) => 20_000 + index + 0.5)
    const sum = ordered.reduce((total, amount) => total + amount, 0).toFixed(2)
    expect([...text.matchAll(/<CtrlSum>([^<]+)</g)].map(([, reported]) => reported)).toEqual([sum, sum])
  })

  test('has the statuses that the bank reports: waiting, in progress, partly paid', async () => {
    const { transactions, ...terms } = stage.payroll(3)
    // Longer than a bank accepts: the report has what the file has.
    const named = transactions.map((one) => ({
      ...one,
      metadata: { endToEndId: `${one.metadata.endToEndId} ${LONG}` },
    }))
    const { payrollId, messageId, text: file } = await sent(3, { ...terms, transactions: named })
    await stage.report(messageId, { group: 'ACTC', at: '2026-11-20T10:00:00' })
    await stage.look()
    expect(await statuses(payrollId)).toEqual(Array(4).fill('Unsigned'))
    await stage.report(messageId, { batch: 'ACSP', at: '2026-11-20T11:00:00' })
    await stage.look()
    expect(await statuses(payrollId)).toEqual(Array(4).fill('InProgress'))
    const [, endToEndId = ''] = [...file.matchAll(/<EndToEndId>([^<]+)<\/EndToEndId>/g)].map(([, id = '']) => id)
    const text = 'Account 12345678903 of Kari Nordmann is closed'
    const payments = [{ endToEndId, status: 'RJCT', reason: 'AC04', text }]
    await stage.report(messageId, { group: 'PART', payments, at: '2026-11-20T12:00:00' })
    await stage.look()
    expect(await statuses(payrollId)).toEqual(['InProgress', 'InProgress', 'Rejected', 'InProgress'])
    await stage.report(messageId, { batch: 'ACSC', at: '2026-11-20T13:00:00' })
    await stage.look()
    expect(await statuses(payrollId)).toEqual(['Completed', 'Completed', 'Rejected', 'Completed'])
    const shown = JSON.stringify(await stage.statusOf(payrollId))
    expect(shown).toContain('AC04: the account is closed')
    expect(shown).not.toMatch(/Kari|1234567/)
    expect(await stage.waiting()).toEqual([])
  })

  test('is rejected as a whole where the bank rejects its file', async () => {
    const { payrollId, messageId } = await sent(2)
    await stage.report(messageId, { group: 'RJCT' })
    await stage.look()
    expect(await statuses(payrollId)).toEqual(Array(3).fill('Rejected'))
  })

  test('is no payment: it creates no event, and is in no list of payments', async () => {
    const { messageId } = await sent(1)
    const [events] = await rows('select count(*)::int as count from events')
    await stage.report(messageId, { batch: 'ACSC' })
    await stage.look()
    expect(await rows('select count(*)::int as count from events')).toEqual([events])
    expect((await gateway.client.listPayments({ query: {} })).payments).toEqual([])
  })

  test('repeated under its key is the same payroll, and one file', async () => {
    const requested = stage.payroll(2)
    const first = await stage.order(requested, 'file-key-1')
    const again = await stage.order(requested, 'file-key-1')
    expect(again).toEqual(first)
    await gateway.sweep()
    expect((await stage.take()).size).toBe(1)
  })

  test('is neither approved nor cancelled by us', async () => {
    const { payrollId } = await sent(1)
    const consented = { consentId: stage.consentId, psu: PSU }
    const unsupported = { failure: 'UNSUPPORTED_PRODUCT_BY_BANK' }
    const requested = { callbackUrl: CALLBACK, payrollId }
    await expect(gateway.client.approvePayrolls({ ...consented, body: requested })).rejects.toMatchObject(unsupported)
    await expect(gateway.client.cancelPayroll({ ...consented, body: requested })).rejects.toMatchObject(unsupported)
  })

  test('leaves neither personal data nor amounts in the log', async () => {
    await sent(2)
    expect(gateway.logLines().join('\n')).not.toMatch(/Kari Nordmann|12345678903|20000\.50/)
  })
})

describe('status reports', () => {
  test('change nothing when they are repeated, also under another name', async () => {
    const { payrollId, messageId } = await sent(1)
    const twice = { batch: 'ACSP', at: '2026-11-21T10:00:00' }
    await stage.report(messageId, twice)
    await stage.report(messageId, { batch: 'ACSC', at: '2026-11-21T11:00:00' })
    await stage.look()
    await stage.report(messageId, twice)
    await stage.look()
    expect(await statuses(payrollId)).toEqual(['Completed', 'Completed'])
    const history =
      'select status from payment_history where payment_id = (select id from payments where payroll_id = $1)'
    expect((await rows(history, [payrollId])).map(({ status }) => status)).toEqual(['InProgress', 'Completed'])
  })

  test('are ordered by when the bank wrote them, whatever their names', async () => {
    const { payrollId, messageId } = await sent(1)
    await stage.report(messageId, { batch: 'ACSC', at: '2026-11-21T11:00:00' }, 'a.xml')
    await stage.report(messageId, { group: 'ACTC', at: '2026-11-21T10:00:00' }, 'b.xml')
    await stage.look()
    expect(await statuses(payrollId)).toEqual(['Completed', 'Completed'])
  })

  test('on other files, and invalid ones, are left in place and read once', async () => {
    const incoming = join(stage.folder, 'from-bank')
    await writeFile(join(incoming, 'camt.053.xml'), '<Document><BkToCstmrStmt/></Document>')
    await stage.report('0123456789abcdef', { group: 'ACSC' }, 'other.xml')
    expect(await stage.look()).toBe(1)
    expect(await stage.look()).toBe(0)
    expect(await readdir(incoming)).toEqual(expect.arrayContaining(['camt.053.xml', 'other.xml']))
  })

  test('that were incomplete at first are read once they are complete', async () => {
    const { payrollId, messageId } = await sent(1)
    const path = join(stage.folder, 'from-bank', 'slow.xml')
    await writeFile(path, '<?xml version="1.0"?><Document><CstmrPmtStsRpt><GrpHdr>')
    await stage.look()
    await stage.report(messageId, { batch: 'ACSC' }, 'slow.xml')
    await stage.look()
    expect(await statuses(payrollId)).toEqual(['Completed', 'Completed'])
  })
})

describe('a file is submitted once, after', () => {
  const LIVES = Array.from({ length: 14 }, (_none, statements) => statements)
  /** In short runs the answer of every second statement is lost. */
  const crashes = LIVES.flatMap((statements) =>
    (randomCases(2) > 1 ? [false, true] : [statements % 2 === 1]).map((answerLost) => ({ statements, answerLost })),
  )

  test.each(crashes)('a crash of the worker after $statements statements, answer lost: $answerLost', async (left) => {
    const { payrollId } = await stage.order(stage.payroll(2))
    const [{ id }] = await rows('select id from payments where payroll_id = $1', [payrollId])
    const database = crashingDatabase(gateway.context.database.pool)
    database.live(left)
    const key = { partnerId: stage.partnerId, id }
    await processPaymentFile({ ...gateway.context, database }, key).catch(() => undefined)
    const atBank = [...(await stage.take()).keys()]
    await processPaymentFile(gateway.context, key)
    await processPaymentFile(gateway.context, key)
    atBank.push(...(await stage.take()).keys())
    expect(atBank).toEqual([id.replaceAll('-', '')])
    expect(await rows('select state from payment_files where id = $1', [id])).toEqual([{ state: 'sent' }])
  })

  test('two workers that process the same file at once', async () => {
    const { payrollId } = await stage.order(stage.payroll(2))
    const [{ id }] = await rows('select id from payments where payroll_id = $1', [payrollId])
    const key = { partnerId: stage.partnerId, id }
    await Promise.all([1, 2, 3].map(() => processPaymentFile(gateway.context, key)))
    expect((await stage.take()).size).toBe(1)
  })

  test('an outage of the connection to the bank, and operators are notified when that lasts', async () => {
    const { payrollId } = await stage.order(stage.payroll(2))
    const [{ id }] = await rows('select id from payments where payroll_id = $1', [payrollId])
    await stage.cutOff(true)
    await gateway.sweep()
    expect(await rows('select kind from operator_tasks where subject_id = $1', [id])).toEqual([])
    await passTime(gateway, 'PT1H')
    expect(await rows('select kind, status from operator_tasks where subject_id = $1', [id])).toEqual([
      { kind: 'FileNotSent', status: 'open' },
    ])
    await stage.cutOff(false)
    await passTime(gateway, 'PT20M')
    expect((await stage.take()).size).toBe(1)
    expect(await rows('select status from operator_tasks where subject_id = $1', [id])).toEqual([
      { status: 'resolved' },
    ])
  })

  test('an outage of the bank past the due date: then it is not submitted late', async () => {
    const { payrollId } = await stage.order(stage.payroll(2))
    await stage.cutOff(true)
    await gateway.sweep()
    // Files are tried every few minutes meanwhile.
    await rows('update payments set due_date = due_date - 5 where payroll_id = $1', [payrollId])
    await passTime(gateway, 'PT1M')
    await stage.cutOff(false)
    await passTime(gateway, 'PT20M')
    expect((await stage.take()).size).toBe(0)
    expect(await statuses(payrollId)).toEqual(Array(3).fill('Cancelled'))
  })

  test('a bank that never responds: operators ask the bank', async () => {
    const { payrollId } = await sent(1)
    const [{ id }] = await rows('select id from payments where payroll_id = $1', [payrollId])
    await passTime(gateway, 'P10D')
    expect(await rows('select kind from operator_tasks where subject_id = $1', [id])).toEqual([
      { kind: 'FileUnanswered' },
    ])
  })
})
