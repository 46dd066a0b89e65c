/** Shows the parsing of banks' reports, and that no names are included. */
import { describe, expect, test } from 'vitest'
import { pain002, type ReportContent } from '../../testing/order-file-samples.ts'
import type { FileDialect } from './file-dialect.ts'
import { readPain002 } from './read-pain-002.ts'

const DIALECT: FileDialect = {
  message: 'pain.001.001.09',
  folders: { outgoing: 'to-bank', incoming: 'from-bank', done: 'done' },
  accounts: 'bban',
  initiatingParty: 'agreement',
  unsignedStatuses: ['RCVD', 'ACTC', 'ACCP'],
}
const READING = { timeZone: 'Europe/Oslo', dialect: DIALECT }

const read = (reported: ReportContent) => readPain002(pain002('m1', reported), READING)

describe('a report', () => {
  test.each([
    ['RCVD', 'Unsigned', null],
    ['ACTC', 'Unsigned', null],
    ['ACCP', 'Unsigned', null],
    ['PATC', 'CustomerActionRequired', 'PartlySigned'],
    ['PDNG', 'InProgress', null],
    ['ACSP', 'InProgress', null],
    ['ACWC', 'InProgress', null],
    ['ACSC', 'Completed', null],
    ['ACCC', 'Completed', null],
    ['RJCT', 'Rejected', null],
    ['CANC', 'Cancelled', null],
    ['XYZW', null, null],
  ])('with %s means %s', (word, status, statusReason) => {
    const whole = { status, statusReason, statusReasonText: null, bankStatus: word }
    expect(read({ group: word })).toMatchObject({ messageId: 'm1', whole, payments: [] })
  })

  test('has a batch status that counts before that of the message, which may be older', () => {
    expect(read({ group: 'ACTC', batch: 'ACSC' })?.whole).toMatchObject({ status: 'Completed' })
  })

  test('on a part says nothing about payments that it does not list', () => {
    const report = read({ group: 'PART', payments: [{ instruction: '2', status: 'RJCT', reason: 'AC04' }] })
    expect(report?.whole).toBeNull()
    expect(report?.payments).toEqual([
      {
        position: 1,
        endToEndId: null,
        status: 'Rejected',
        statusReason: null,
        statusReasonText: 'AC04: the account is closed',
        bankStatus: 'RJCT',
      },
    ])
  })

  test('may be divided into blocks: all are read, and none counts for payments of another', () => {
    const other =
      '<OrgnlPmtInfAndSts><PmtInfSts>RJCT</PmtInfSts><TxInfAndSts><OrgnlInstrId>2</OrgnlInstrId><TxSts>RJCT</TxSts></TxInfAndSts></OrgnlPmtInfAndSts>'
    const divided = (batch: string) =>
      readPain002(
        pain002('m1', { batch, payments: [{ instruction: '1', status: batch }] }).replace(
          '</CstmrPmtStsRpt>',
          (end) => other + end,
        ),
        READING,
      )
    expect(divided('ACSC')?.whole).toBeNull()
    expect(divided('ACSC')?.payments).toMatchObject([
      { position: 0, status: 'Completed' },
      { position: 1, status: 'Rejected' },
    ])
    expect(divided('RJCT')?.whole).toMatchObject({ status: 'Rejected' })
  })

  test('identifies payments by our number, by their own id, or by both', () => {
    const payments = [
      { endToEndId: 'SAL-1', status: 'ACSC' },
      { instruction: '3', endToEndId: 'SAL-3', status: 'ACSC' },
      { instruction: 'I-0', endToEndId: 'SAL-4', status: 'ACSC' },
    ]
    expect(read({ payments })?.payments.map(({ position, endToEndId }) => [position, endToEndId])).toEqual([
      [null, 'SAL-1'],
      [2, 'SAL-3'],
      [null, 'SAL-4'],
    ])
  })

  test('on missing funds says so, rejected or waiting', () => {
    const payments = ['RJCT', 'PDNG'].map((status, index) => ({
      instruction: String(index + 1),
      status,
      reason: 'AM04',
    }))
    expect(read({ payments })?.payments).toMatchObject([
      { status: 'Rejected', statusReason: 'InsufficientFunds' },
      { status: 'CustomerActionRequired', statusReason: 'InsufficientFunds' },
    ])
  })

  test('is returned without its texts, which may name the recipient of a salary', () => {
    const text = 'Account 12345678903 of Kari Nordmann is closed'
    const report = read({ payments: [{ instruction: '1', status: 'RJCT', reason: 'AC04', text }] })
    expect(JSON.stringify(report)).not.toMatch(/Kari|1234/)
  })

  test('counts the payments without a status, unless there is one for all', () => {
    const payments = [{ instruction: '1', status: 'ACSC' }, { instruction: '2' }, { endToEndId: 'E3' }]
    expect(read({ group: 'PART', payments })).toMatchObject({
      whole: null,
      payments: [{ position: 0 }],
      withoutStatus: 2,
    })
    expect(read({ group: 'RJCT', payments })).toMatchObject({ whole: { status: 'Rejected' }, withoutStatus: 0 })
  })

  test('has a time in the bank’s time zone, or with the offset that it has', () => {
    const at = (text: string) => read({ at: text, group: 'ACTC' })?.reportedAt.toString()
    expect(at('2026-11-20T09:20:00')).toBe('2026-11-20T08:20:00Z')
    expect(at('2026-11-20T09:20:00.5+02:00')).toBe('2026-11-20T07:20:00.5Z')
    expect(at('2026-11-20T09:20:00+0200')).toBe('2026-11-20T07:20:00Z')
  })

  test('is read in any version, and with any namespace prefix', () => {
    const text = pain002('m1', { version: '03', batch: 'ACSC' })
    const prefixed = text.replace('xmlns=', 'xmlns:p=').replaceAll(/<(\/?)(\w)/g, '<$1p:$2')
    expect(prefixed).toContain('<p:PmtInfSts>ACSC</p:PmtInfSts>')
    expect(readPain002(prefixed, READING)?.whole).toMatchObject({ status: 'Completed' })
  })

  test.each([
    ['nothing', ''],
    ['text', 'OK'],
    ['half of one', pain002('m1', { group: 'ACSC' }).slice(0, 300)],
    ['another message', '<Document><BkToCstmrStmt><Stmt/></BkToCstmrStmt></Document>'],
    ['one without a time', pain002('m1', { at: 'yesterday', group: 'ACSC' })],
    ['one on no file', pain002('', { group: 'ACSC' })],
    ['one with entities of its own', `<!DOCTYPE d [<!ENTITY m "m1">]>${pain002('&m;', { group: 'ACSC' }).slice(39)}`],
  ])('is not parsed from %s', (_what, text) => {
    expect(readPain002(text, READING)).toBeNull()
  })
})
