/** Tests files that are late, interrupted by a crash, or named and filled wrongly by the bank. */
import { mkdir, readdir, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { randomCases } from '../../../setup/random-cases.ts'
import { requireBank } from '../../banks/directory/bank-directory.ts'
import { newId } from '../../platform/ids.ts'
import { FILE_BANK, type FileBankFixture, openFileBank } from '../../testing/banks/file-bank.ts'
import { crashingDatabase } from '../../testing/database/crashing-database.ts'
import { passTime } from '../../testing/gateway/pass-time.ts'
import { startTestGateway, type TestGateway } from '../../testing/gateway/test-gateway.ts'
import { processBankReports } from '../status/process-bank-reports.ts'
import { acquireReportPollLease, releaseReportPollLease } from '../store/bank-report-store.ts'
import { changeFileState } from '../store/payment-file-store.ts'
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
const BIC = FILE_BANK.bic
const outgoing = () => join(stage.folder, 'to-bank')
const incoming = () => join(stage.folder, 'from-bank')

/** A payroll whose file waits to be sent. */
async function ordered(count = 2) {
  const { payrollId } = await stage.order(stage.payroll(count))
  const [{ id }] = await rows('select id from payments where payroll_id = $1', [payrollId])
  return { payrollId, id: String(id), key: { partnerId: stage.partnerId, id: String(id) } }
}

/** A file that was prepared by a worker that crashed right then; `ending` is the end of its file name. */
async function prepared(ending: 'part' | 'xml') {
  const payroll = await ordered()
  const [attempt, messageId] = [newId(), payroll.id.replaceAll('-', '')]
  const move = { from: 'waiting', to: 'prepared', attempt, dueAt: gateway.context.clock.now() } as const
  expect(await changeFileState(gateway.context.database, payroll.key, move)).toBe(true)
  await writeFile(
    join(outgoing(), ending === 'part' ? `${messageId}.${attempt}.part` : `${messageId}.xml`),
    '<Document/>',
  )
  return { ...payroll, messageId }
}

async function sent(count = 1) {
  const payroll = await ordered(count)
  await processPaymentFile(gateway.context, payroll.key)
  await stage.take()
  return { ...payroll, messageId: payroll.id.replaceAll('-', '') }
}

async function dayIsOver(id: string) {
  await rows(`update payments set due_date = due_date - 30 where id = $1`, [id])
}

async function status(payrollId: string) {
  return (await stage.statusOf(payrollId)).currentPayrollStatus
}

async function fileOf(id: string) {
  const [file] = await rows('select state, due_at from payment_files where id = $1', [id])
  return file
}

describe('a file whose due date has passed', () => {
  test('is not submitted although it was prepared', async () => {
    const { payrollId, id, key } = await prepared('part')
    await dayIsOver(id)
    await processPaymentFile(gateway.context, key)
    expect(await readdir(outgoing())).toEqual([])
    expect(await status(payrollId)).toBe('Cancelled')
    expect(await fileOf(id)).toEqual({ state: 'withdrawn', due_at: null })
  })

  test('is the bank’s where it was submitted before', async () => {
    const { payrollId, id, key } = await prepared('xml')
    await dayIsOver(id)
    await processPaymentFile(gateway.context, key)
    expect((await stage.take()).size).toBe(1)
    expect(await status(payrollId)).toBe('Unsigned')
    await processPaymentFile(gateway.context, key)
    const tasks = await rows('select kind from operator_tasks where subject_id = $1', [id])
    expect(tasks).toEqual([{ kind: 'FileUnanswered' }])
  })

  const LIVES = Array.from({ length: 12 }, (_none, statements) => statements)
  const FROM = ['part', 'waiting'] as const
  /** In short runs the states alternate. */
  const crashes = LIVES.flatMap((left) =>
    FROM.filter((_from, index) => randomCases(2) > 1 || left % FROM.length === index).map(
      (from) => [from, left] as const,
    ),
  )
  test.each(crashes)('is reported as cancelled after any crash: %s, after %i statements', async (from, left) => {
    const { payrollId, id, key } = from === 'part' ? await prepared('part') : await ordered()
    await dayIsOver(id)
    const database = crashingDatabase(gateway.context.database.pool)
    database.live({ statements: left, answerLost: false })
    await processPaymentFile({ ...gateway.context, database }, key).catch(() => undefined)
    const isStillSeenTo = (await fileOf(id)).due_at !== null
    expect(isStillSeenTo || (await status(payrollId)) === 'Cancelled').toBe(true)
    await processPaymentFile(gateway.context, key)
    expect(await status(payrollId)).toBe('Cancelled')
    expect(await fileOf(id)).toEqual({ state: 'withdrawn', due_at: null })
    expect(await readdir(outgoing())).toEqual([])
  })
})

describe('a file that is submitted', () => {
  test('leaves nothing of attempts that crashed', async () => {
    const { id, key } = await ordered()
    await writeFile(join(outgoing(), `${id.replaceAll('-', '')}.${newId()}.part`), 'Kari Nordmann')
    await processPaymentFile(gateway.context, key)
    expect(await readdir(outgoing())).toEqual([`${id.replaceAll('-', '')}.xml`])
    await stage.take()
  })

  test('is polled although a report arrived before that was recorded', async () => {
    const { id, messageId } = await prepared('xml')
    await stage.take()
    await stage.report(messageId, { batch: 'ACSP' })
    await stage.look()
    expect(await fileOf(id)).toEqual({ state: 'sent', due_at: expect.anything() })
    await passTime(gateway, 'P10D')
    const tasks = await rows('select kind from operator_tasks where subject_id = $1', [id])
    expect(tasks).toEqual([{ kind: 'FileUnanswered' }])
  })
})

describe('a report is read', () => {
  test('although unreadable files come before it, and those are skipped until they change', async () => {
    const { payrollId, messageId } = await sent()
    const strange = Array.from({ length: 24 }, (_none, index) => `a\\${index}.xml`)
    await Promise.all([...strange, 'a-long.xml'].map((name) => writeFile(join(incoming(), name), '')))
    await truncate(join(incoming(), 'a-long.xml'), 60_000_000)
    await stage.report(messageId, { batch: 'ACSC' }, 'b.xml')
    expect([await stage.look(), await stage.look()]).toEqual([0, 1])
    expect(await status(payrollId)).toBe('Completed')
    const reported = gateway.logLines().filter((line) => line.includes('a file from a bank cannot be parsed'))
    expect(reported).toHaveLength(25)
    expect(await stage.look()).toBe(0)
    expect(gateway.logLines().filter((line) => line.includes('a file from a bank cannot be parsed'))).toHaveLength(25)
    await Promise.all([...strange, 'a-long.xml'].map((name) => rm(join(incoming(), name))))
  })

  test('although others before it fail repeatedly, and they are read when they no longer do', async () => {
    const { payrollId, messageId } = await sent()
    const done = join(stage.folder, 'done')
    await rm(done, { recursive: true })
    for (let index = 0; index < 20; index += 1) {
      const name = `a${String(index).padStart(2, '0')}.xml`
      await stage.report(messageId, { batch: 'ACSP', at: `2026-11-20T10:00:${10 + index}` }, name)
    }
    await stage.report(messageId, { batch: 'ACSC', at: '2026-11-20T11:00:00' }, 'b.xml')
    await expect(stage.look()).rejects.toMatchObject({ kind: 'unavailable' })
    expect(await status(payrollId)).toBe('InProgress')
    await expect(stage.look()).rejects.toMatchObject({ kind: 'unavailable' })
    expect(await status(payrollId)).toBe('Completed')
    await mkdir(done)
    await stage.look()
    await stage.look()
    expect(await stage.waiting()).toEqual([])
  })

  test('again where another process has recorded a report meanwhile, also one with the same status', async () => {
    const { context } = gateway
    const { payrollId, id, messageId } = await sent(2)
    await stage.report(messageId, { batch: 'ACSP', at: '2026-11-20T10:00:00' })
    await stage.look()
    const rejected = { instruction: '1', endToEndId: 'NOTPROVIDED', status: 'RJCT', reason: 'AC04' }
    await stage.report(messageId, { group: 'PART', at: '2026-11-20T11:00:00', payments: [rejected] })
    const bank = await requireBank(context.banks, BIC)
    const find = async () => {
      await rows("update payments set status_at = status_at + interval '1 second' where id = $1", [id])
      return bank
    }
    const { files } = context.banks.connectorOf(bank)
    await (files && processBankReports({ ...context, banks: { ...context.banks, find } }, bank, files))
    expect(await stage.waiting()).toHaveLength(1)
    await rows('delete from failed_rows')
    await stage.look()
    expect(await stage.waiting()).toEqual([])
    const { transactions } = await stage.statusOf(payrollId)
    expect(transactions.map(({ payrollStatus }) => payrollStatus)).toEqual(['Rejected', 'InProgress'])
  })

  test('by one process at a time, however long its poll takes', async () => {
    const { database } = gateway.context
    const now = Temporal.Instant.from('2026-11-20T08:00:00Z')
    const at = (seconds: number) => ({ now: now.add({ seconds }), next: now.add({ seconds: seconds + 900 }) })
    expect(await acquireReportPollLease(database, 'LONGNO22', at(0))).toBe(true)
    expect(await acquireReportPollLease(database, 'LONGNO22', at(61))).toBe(false)
    await releaseReportPollLease(database, 'LONGNO22', now.add({ seconds: 60 }))
    expect(await acquireReportPollLease(database, 'LONGNO22', at(61))).toBe(true)
    await gateway.sweep()
    const [look] = await rows(
      'select extract(epoch from next_poll_at)::float8 as at from bank_file_polls where bic = $1',
      [BIC],
    )
    expect(look.at * 1000).toBeLessThanOrEqual(gateway.context.clock.real().epochMilliseconds + 60_000)
  })
})
