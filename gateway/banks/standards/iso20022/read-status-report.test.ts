/** Shows that a long report is parsed in a worker thread with the same result, in little memory. */
import { expect, test } from 'vitest'
import { pain002 } from '../../testing/order-file-samples.ts'
import type { FileDialect } from './file-dialect.ts'
import { readPain002 } from './read-pain-002.ts'
import { readStatusReport } from './read-status-report.ts'

const DIALECT: FileDialect = {
  message: 'pain.001.001.09',
  folders: { outgoing: 'to-bank', incoming: 'from-bank', done: 'done' },
  accounts: 'bban',
  initiatingParty: 'agreement',
  unsignedStatuses: ['RCVD'],
}
const READING = { timeZone: 'Europe/Oslo', dialect: DIALECT }

/** With these a report is parsed in a worker thread. */
const MANY = 700

function reportOf(count: number): string {
  const payments = Array.from({ length: count }, (_none, index) => ({
    instruction: String(index + 1),
    endToEndId: `SAL-${index}`,
    status: 'RJCT',
    reason: 'AC04',
  }))
  return pain002('m1', { batch: 'ACSP', payments })
}

test.each([1, MANY])('a report on %i payments', async (count) => {
  const text = reportOf(count)
  const report = await readStatusReport(Buffer.from(text), READING)
  expect(report?.payments).toHaveLength(count)
  expect(report).toEqual(readPain002(text, READING))
})

test.each([
  ['ISO-8859-1', 'latin1'],
  ['UTF-8', 'utf8'],
  ['EBCDIC-CP-NO', 'utf8'],
] as const)('a report that declares %s', async (declared, encoding) => {
  const text = reportOf(1).replace('SAL-0', 'LØNN-Å').replace('UTF-8', declared)
  expect(text).toContain(`encoding="${declared}"`)
  const report = await readStatusReport(Buffer.from(text, encoding), READING)
  expect(report?.payments).toMatchObject([{ endToEndId: 'LØNN-Å' }])
})

test('an incomplete report is invalid, however long', async () => {
  const text = reportOf(MANY)
  expect(await readStatusReport(Buffer.from(text.slice(0, -100)), READING)).toBeNull()
})

test('other work continues while a long report is read', async () => {
  let [turns, isReading] = [0, true]
  const turn = () => {
    turns += 1
    if (isReading) {
      setImmediate(turn)
    }
  }
  setImmediate(turn)
  await readStatusReport(Buffer.from(reportOf(MANY)), READING)
  isReading = false
  expect(turns).toBeGreaterThan(10)
})

test('the orders that a report repeats, and files of other kinds, take no memory, however long they are', async () => {
  const size = Number(process.env['HAVN_REPORT_MEGABYTES'] ?? 2) * 1_000_000
  const order = '<a:Cdtr><Nm>Kari Nordmann</Nm></a:Cdtr><b/>'.repeat(30)
  const end = '</TxInfAndSts>'
  const one = reportOf(1).replace(end, `<OrgnlTxRef>${order}</OrgnlTxRef>${end}`).replaceAll('a:', '')
  const [first = ''] = /<TxInfAndSts>.*<\/TxInfAndSts>/.exec(one) ?? []
  const count = Math.floor(size / first.length)
  const report = await readStatusReport(Buffer.from(one.replace(first, first.repeat(count))), READING)
  expect(report?.payments).toHaveLength(count)
  const statement = `<Document><BkToCstmrStmt>${'<Ntry><Amt>1</Amt></Ntry>'.repeat(size / 25)}</BkToCstmrStmt></Document>`
  expect(await readStatusReport(Buffer.from(statement), READING)).toBeNull()
})
