/** `havn entries`: prints the entries on an account as they arrive, as a table, CSV, JSON or camt.053. */

import { pipeline, Readable } from 'node:stream'
import { type Command, Option } from 'commander'
import { parse } from 'csv-parse'
import type { Account } from '../../../contract/accounts.ts'
import { parseDay } from '../../../gateway/platform/clock.ts'
import { textOfCell } from '../../../gateway/platform/csv-line.ts'
import { printableLine } from '../../printable-text.ts'
import { CommandError } from '../command-error.ts'
import { developerCommand, withConsentOptions } from '../command-options.ts'
import { chooseAccount } from '../consents/choose-account.ts'
import type { ConsentOptions } from '../consents/choose-consent.ts'
import { bankDay, type Connection, type Context } from '../context.ts'

type Call = Parameters<Connection['havn']['listAccountEntries']>[0]

const DAYS_DEFAULT = 30
const ENTRY_FORMATS = ['table', 'csv', 'json', 'camt.053'] as const
type EntryFormat = (typeof ENTRY_FORMATS)[number]

type EntriesOptions = ConsentOptions & {
  readonly account?: string
  /** Days in the time zone of the bank, `YYYY-MM-DD`. */
  readonly from?: string
  readonly to?: string
  readonly format?: EntryFormat
  readonly extended?: boolean
}

export async function entries(context: Context, options: EntriesOptions): Promise<void> {
  const connection = await context.connect()
  const format = context.output.isJson ? 'json' : (options.format ?? 'table')
  const product = options.extended === true ? 'ACCOUNT_ENTRIES_EXTENDED' : 'ACCOUNT_ENTRIES'
  const { consent, account } = await chooseAccount(context, connection, options, product)
  const call: Call = {
    consentId: consent.id,
    psu: connection.psu,
    params: { accountId: account.id },
    query: await periodOf(connection, account, options),
    signal: context.signal,
  }
  const { fromDate, toDate } = call.query
  const whenEmpty = `There are no entries on ${account.bban} from ${fromDate} to ${toDate}.`
  const list = options.extended === true ? 'listExtendedAccountEntries' : 'listAccountEntries'
  await print[format](context, (accept) => connection.havn[list]({ ...call, accept }), whenEmpty)
}

type Row = Readonly<Record<string, string>>
type Request = (accept: 'text/csv' | 'application/xml') => Promise<ReadableStream<Uint8Array>>
type Print = (context: Context, request: Request, whenEmpty: string) => Promise<void>

const AMOUNT_WIDTH = 15
const isCredit = (row: Row) => row['type'] === 'CREDIT'
const partyOf = (row: Row, role: 'debtor' | 'creditor') => row[`${role}Name`] || row[`${role}Bban`]

type Column = readonly [heading: string, width: number, textOf: (row: Row) => string | undefined]
/** The widths are fixed: rows are printed before all are known. */
const COLUMNS: readonly Column[] = [
  ['BOOKED', 10, (row) => row['bookingDateTime']?.slice(0, 10)],
  ['STATUS', 7, (row) => row['status']],
  ['TYPE', 6, (row) => row['type']],
  [
    'AMOUNT'.padStart(AMOUNT_WIDTH),
    AMOUNT_WIDTH,
    (row) => `${isCredit(row) ? '' : '-'}${row['amount'] ?? ''}`.padStart(AMOUNT_WIDTH),
  ],
  ['CURRENCY', 8, (row) => row['currency']],
  ['FROM OR TO', 30, (row) => partyOf(row, isCredit(row) ? 'debtor' : 'creditor')],
  ['REFERENCE OR MESSAGE', 0, (row) => row['reference'] || row['unstructured'] || row['purposeText']],
]

const print: Readonly<Record<EntryFormat, Print>> = {
  csv: async ({ output }, request) => await copyStream(output, await request('text/csv')),
  'camt.053': async ({ output }, request) => await copyStream(output, await request('application/xml')),
  // One entry per line, so that neither side holds all of them.
  json: async ({ output }, request) => {
    for await (const row of readCsvRows(await request('text/csv'))) {
      const filled = Object.entries(row).filter(([, value]) => value !== '')
      await output.writePart(`${JSON.stringify(Object.fromEntries(filled))}\n`)
    }
  },
  table: async ({ output }, request, whenEmpty) => {
    let isEmpty = true
    for await (const row of readCsvRows(await request('text/csv'))) {
      if (isEmpty) {
        output.write(tableLine(([heading]) => heading))
      }
      isEmpty = false
      output.write(tableLine(([, , textOf]) => textOf(row)))
    }
    if (isEmpty) {
      output.write(whenEmpty)
    }
  },
}

function tableLine(textOf: (column: Column) => string | undefined): string {
  return COLUMNS.map((column) => printableLine(textOf(column) ?? '').padEnd(column[1]))
    .join('  ')
    .trimEnd()
}

async function copyStream(output: Context['output'], stream: ReadableStream<Uint8Array>): Promise<void> {
  const decoder = new TextDecoder()
  for await (const part of stream) {
    await output.writePart(decoder.decode(part, { stream: true }))
  }
}

async function periodOf(connection: Connection, { country }: Account, { from, to }: EntriesOptions) {
  const toDate = to ?? (await bankDay(connection, country)).toString()
  const fromDate = from ?? dayOf(toDate, '--to').subtract({ days: DAYS_DEFAULT }).toString()
  return { fromDate: dayOf(fromDate, '--from').toString(), toDate: dayOf(toDate, '--to').toString() }
}

function dayOf(text: string, option: string): Temporal.PlainDate {
  const day = parseDay(text)
  if (day === undefined) {
    throw new CommandError('invalid', `${option} must be a day, for example 2026-11-23, not "${text}"`)
  }
  return day
}

export function declareEntries(command: Command): void {
  withConsentOptions(
    developerCommand(command, entries, [
      'havn entries --account 80501100017 --from 2026-11-01',
      'havn entries --account 80501100017 --format csv > entries.csv',
    ]),
  )
    .option('--account <number>', 'the account; by default the only one, asked for on a terminal')
    .option('--from <day>', 'the first day; by default 30 days before the last')
    .option('--to <day>', 'the last day; by default today at the bank')
    .option('--extended', 'with the details that the bank gives for single entries')
    .addOption(
      new Option('--format <format>', 'how they are printed; json is one entry per line')
        .choices(ENTRY_FORMATS)
        .default('table'),
    )
}

/** Yields each row as an object; a stream that fails rejects. */
async function* readCsvRows(stream: ReadableStream<Uint8Array>): AsyncGenerator<Row> {
  // The iteration rejects with the error of any part, which the callback therefore ignores.
  yield* pipeline(Readable.from(stream), parse({ columns: true, bom: true, cast: textOfCell }), () => undefined)
}
