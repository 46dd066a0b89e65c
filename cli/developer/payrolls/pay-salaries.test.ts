/** Tests `havn payroll pay` against a gateway: ordering, approval, report, resuming, and errors with their lines. */
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { nextBankDay } from '../../../gateway/countries/bank-days.ts'
import { nordicBank, nordicBanks } from '../../../gateway/testing/banks/nordic-banks.ts'
import { runHavnCommand } from '../../../gateway/testing/gateway/havn-command.ts'
import { passUntil } from '../../../gateway/testing/gateway/pass-time.ts'
import { startTestGateway, type TestGateway } from '../../../gateway/testing/gateway/test-gateway.ts'
import { openPayrollFixture, PAYROLL_BANKS } from '../../../gateway/testing/payrolls/payroll-fixture.ts'

let gateway: TestGateway
let folder: string
let account: string
/** Lines of a file that the bank accepts. */
let salaries: readonly string[]
beforeAll(async () => {
  gateway = await startTestGateway()
  folder = await mkdtemp(join(tmpdir(), 'havn-payroll-'))
  const bank = nordicBanks.find(({ bic }) => bic === PAYROLL_BANKS.bulk)
  if (bank === undefined) {
    throw new Error('The bank is not there')
  }
  const fixture = openPayrollFixture(gateway)
  const payroll = fixture.payroll(bank, 3)
  await fixture.payer.consentOf(bank)
  account = bank.main
  salaries = payroll.transactions.map(({ name, account: { bban }, amount }) => `"${name}",${bban},${amount.amount}`)
})
afterAll(async () => {
  await gateway.close()
  await rm(folder, { recursive: true })
})

const CREDENTIALS = { HAVN_CLIENT_ID: 'demo-partner', HAVN_CLIENT_SECRET: 'demo-partner-secret' }
/** The next bank day; the clock may have been moved. */
const nextDueDate = () => nextBankDay(['NO'], gateway.context.clock.today('Europe/Oslo').add({ days: 1 })).toString()
/** Until the bank has executed or rejected what was due. */
async function passDueDay(dueDate: string): Promise<void> {
  const day = Temporal.PlainDate.from(dueDate).add({ days: 3 })
  await passUntil(gateway, `${day}T12:00:00Z`)
}
const paySalaries = (file: string, dueDate: string, ...words: string[]) =>
  runHavnCommand(['payroll', 'pay', file, '--due-date', dueDate, '--account', account, ...words], {
    HOME: folder,
    HAVN_DATA_DIR: join(folder, 'none'),
    HAVN_URL: gateway.url,
    ...CREDENTIALS,
  })
async function salaryFile(name: string, lines: readonly string[]): Promise<string> {
  const file = join(folder, name)
  await writeFile(file, ['name,account,amount', ...lines, ''].join('\n'))
  return file
}
const payrollIds = async () => (await gateway.client.listPayrolls()).payrolls.map(({ payrollId }) => payrollId)

it('orders a file once, has it approved, goes on after an interruption, and reports on each line', async () => {
  const dueDate = nextDueDate()
  const file = await salaryFile('salaries.csv', salaries)
  const checked = await paySalaries(file, dueDate, '--check')
  const total = salaries.reduce((sum, line) => sum + Number(line.split(',').at(-1)), 0).toFixed(2)
  expect([checked.code, checked.out, await payrollIds()]).toEqual([
    0,
    `${file} is right: 3 salaries, ${total} NOK in total.\n`,
    [],
  ])

  const ordered = await paySalaries(file, dueDate)
  const [payrollId] = await payrollIds()
  expect(ordered.code).toBe(0)
  expect(ordered.out).toMatch(/^Payroll \S+ is Unsigned\n {2}Unsigned +3\nReport: .*salaries\.report\.csv\nOpen http/)
  expect(ordered.out).toContain(`Next: havn status ${payrollId} --follow`)

  // Sorted and saved again by a spreadsheet.
  const again = join(folder, 'again.csv')
  const [header, ...rows] = (await readFile(file, 'utf8')).trimEnd().split('\n')
  await writeFile(again, [header, ...rows.toReversed(), '', ''].join('\r\n'), 'latin1')
  const known = await paySalaries(again, dueDate, '--check')
  expect(known.out).toContain(`It was ordered before: payroll ${payrollId}.`)
  const signed = await paySalaries(file, dueDate, '--simulate', 'sign')
  expect([signed.code, signed.error]).toEqual([0, expect.stringContaining('was ordered before')])
  expect(signed.out).toContain(`Payroll ${payrollId} is InProgress`)
  await passDueDay(dueDate)

  const paid = await paySalaries(again, dueDate, '--follow', '--json')
  const result = JSON.parse(paid.out)
  expect(result).toMatchObject({ payrollId, status: 'Completed', isFinal: true, counts: { Completed: 3 } })
  expect(await payrollIds()).toEqual([payrollId])
  const report = (await readFile(result.file, 'utf8')).split('\r\n')
  expect(report).toHaveLength(5)
  expect(report[1]).toMatch(
    new RegExp(`^4,${dueDate.replaceAll('-', '')}-\\w{12}-\\d,[\\d.]+,NOK,Completed,.*,${payrollId}$`),
  )
  expect((await stat(result.file)).mode & 0o777).toBe(0o600)
})

it('names the line and column of what the gateway rejects when it is checked, and orders none of it', async () => {
  const dueDate = nextDueDate()
  const before = await payrollIds()
  const file = await salaryFile('wrong.csv', [...salaries, 'Ola,80501200012,100'])
  const rejected = await paySalaries(file, dueDate)
  expect([rejected.code, rejected.error]).toEqual([
    1,
    expect.stringMatching(/The gateway ordered none of it.\nwrong\.csv:5: account/),
  ])
  // Of the file, of the account's check digits, of what the bank accepts, and of the option, all at once.
  const all = await salaryFile('all.csv', [...salaries, 'Ola,80501200012,100', ',80501200011,1', 'Åse €,80501200011,1'])
  const today = gateway.context.clock.today('Europe/Oslo')
  const sunday = today.add({ days: 14 - today.dayOfWeek }).toString()
  const checked = await paySalaries(all, sunday, '--check', '--message', 'x'.repeat(141))
  expect(checked.error).toMatch(
    /^all\.csv: --due-date is not a bank day; salaries are paid before it.*\n(.*\n)*all\.csv:7: name contains "€"/m,
  )
  const lines = checked.error.split('\n').map((line) => line.split(' ').slice(0, 2).join(' '))
  expect([checked.code, lines.slice(1)]).toEqual([
    1,
    [
      'all.csv: --due-date',
      ...[2, 3, 4].map((line) => `all.csv:${line}: --message`),
      'all.csv:5: account',
      'all.csv:5: --message',
      'all.csv:6: name',
      'all.csv:7: name',
      'all.csv:7: --message',
      '',
    ],
  ])
  const offline = await runHavnCommand(['payroll', 'pay', file, '--due-date', dueDate, '--check'], { HOME: folder })
  expect([offline.code, offline.error]).toEqual([
    3,
    expect.stringMatching(/has the right format: 4 salaries, .* The rules of the bank were not checked: You are not/),
  ])
  expect(await payrollIds()).toEqual(before)
})

it('names the bank where it offers no payrolls, and what to do', async () => {
  const bank = nordicBank('FJORNO22')
  await openPayrollFixture(gateway).payer.consentOf(bank)
  const file = await salaryFile('elsewhere.csv', salaries)
  const rejected = await paySalaries(file, nextDueDate(), '--account', bank.main)
  expect([rejected.code, rejected.error]).toEqual([
    1,
    expect.stringMatching(
      /offers PAYROLL: FJORNO22 does not, or not to its user. --bank or --consent names another one/,
    ),
  ])
})

it('finds what keeps the company and the bank from paying when a right file is checked', async () => {
  const file = await salaryFile('right.csv', salaries)
  const { database, banks } = gateway.context
  await database.pool.query(`update companies set services = '{AIS}'`)
  await database.pool.query(`update banks set order_failures = 40, orders_failing_since = now() - interval '1 day'`)
  await banks.recordCall({ bank: PAYROLL_BANKS.bulk, operation: 'initiateBulkPayment', outcome: 'failed' })
  const checked = await paySalaries(file, nextDueDate(), '--check')
  await database.pool.query(`update companies set services = '{AIS,PIS}'`)
  await banks.resetFailures()
  expect([checked.code, checked.error]).toEqual([
    1,
    expect.stringMatching(
      /right\.csv: \S.* is registered for account information only; payments need onboarding\nright\.csv: .* cannot be reached at present/,
    ),
  ])
})

it('sends nothing of a file with errors, and lists them with their lines', async () => {
  const dueDate = nextDueDate()
  const file = await salaryFile('bad.csv', ['Ola,80501200011,x', ',80501200011,1'])
  const { code, error } = await paySalaries(file, dueDate, '--json')
  expect([code, JSON.parse(error)]).toMatchObject([1, { error: { errors: [{ line: 2 }, { line: 3 }] } }])
  const unread = await paySalaries(await salaryFile('empty.csv', []), dueDate, '--check')
  expect(unread.error).toMatch(/^havn: 1 error in \S+empty\.csv\. Nothing was ordered\.\nempty\.csv:1: .*\n$/)
  const missing = await paySalaries(join(folder, 'none.csv'), dueDate)
  expect([missing.code, missing.error]).toEqual([1, expect.stringContaining('none.csv')])
  // Once they are ordered, the report could not be written, or would replace the salaries.
  const right = await salaryFile('unreported.csv', salaries)
  const before = await payrollIds()
  for (const report of [join(folder, 'none', 'report.csv'), join(folder, '.', 'unreported.csv')]) {
    const unreported = await paySalaries(right, dueDate, '--report', report)
    expect([unreported.code, unreported.error]).toEqual([1, expect.stringMatching(/^havn: The report .*--report/s)])
  }
  expect(await payrollIds()).toEqual(before)
})

it('ends with its own exit code when the user rejects it', async () => {
  const dueDate = nextDueDate()
  const file = await salaryFile('rejected.csv', salaries.toReversed())
  const rejected = await paySalaries(file, dueDate, '--simulate', 'reject', '--report', join(folder, 'r.csv'))
  expect(rejected.out).toContain('r.csv')
  await passDueDay(dueDate)
  const { code, error } = await paySalaries(file, dueDate)
  expect([code, error]).toEqual([4, expect.stringContaining('3 salaries of payroll')])
})
