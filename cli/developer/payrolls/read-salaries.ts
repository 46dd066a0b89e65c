/** Decodes and reads a file of salaries, and reports every error in it with its line. */
import { CsvError, type Info, parse } from 'csv-parse/sync'
import { checkAccountNumber } from '../../../gateway/countries/account-number.ts'
import { SERVED_COUNTRIES } from '../../../gateway/countries/served-countries.ts'

/** `column` is that of the header line or, without a line, the option that is wrong. */
export type SalaryFileError = { readonly line?: number; readonly column?: string; readonly message: string }

export type SalaryRow = {
  readonly line: number
  readonly name: string
  readonly account: string
  /** A decimal with a point. */
  readonly amount: string
  readonly remittance: { readonly type: 'message' | 'ocr'; readonly value: string }
  /** Empty without one in the file. */
  readonly endToEndId: string
  /** Whether the message is that of all salaries without one. */
  readonly hasDefaultMessage: boolean
}

/** The rows without errors, in the order of the file, and all errors. */
export type SalaryFile = { readonly rows: readonly SalaryRow[]; readonly errors: readonly SalaryFileError[] }

/** Columns by their names in the header line; all of them but these are optional. */
const COLUMNS = ['name', 'account', 'amount', 'message', 'reference', 'endToEndId'] as const
const REQUIRED_COLUMNS = ['name', 'account', 'amount'] as const
const DELIMITERS = [',', ';', '\t'] as const
const HEADER_LINE = 1
const AMOUNT = /^(0|[1-9]\d{0,11})([.,]\d{1,2})?$/

type ParsedRecord = { readonly info: Info; readonly raw: string; readonly record: readonly string[] }

/** Parses the text of a file: a header line, then one salary per record, in order. */
export function readSalaries(text: string, defaultMessage: string): SalaryFile {
  const [header = '', ...rest] = text.split(/\r\n|\n|\r/)
  const delimiter = delimiterOf(header)
  const names = header.split(delimiter).map((cell) => cell.trim().replace(/^"(.*)"$/, '$1'))
  const columns = names.map((name) => COLUMNS.find((column) => column.toLowerCase() === name.toLowerCase()))
  const headerErrors = errorsOfHeader(names, columns)
  if (headerErrors.length > 0) {
    return { rows: [], errors: headerErrors }
  }
  const parsed = parseRecords(rest.join('\n'), delimiter)
  return 'error' in parsed ? { rows: [], errors: [parsed.error] } : rowsOf(parsed.records, columns, defaultMessage)
}

function rowsOf(
  records: readonly ParsedRecord[],
  columns: readonly (string | undefined)[],
  defaultMessage: string,
): SalaryFile {
  const errors: SalaryFileError[] = []
  const idLines = new Map<string, number>()
  const rows = records.flatMap(({ record, info, raw }) => {
    const line = HEADER_LINE + info.lines - (raw.trimEnd().split('\n').length - 1)
    const cells = Object.fromEntries(columns.map((column, index) => [column, record[index]?.trim().normalize() ?? '']))
    const { errors: ofCells, ...row } = salaryRow(
      { name: '', account: '', amount: '', message: '', reference: '', endToEndId: '', ...cells },
      line,
      defaultMessage,
    )
    const found = [...errorsOfCount(record.length, columns.length, line), ...ofCells]
    const earlier = row.endToEndId === '' ? undefined : idLines.get(row.endToEndId)
    if (earlier !== undefined) {
      found.push({ line, column: 'endToEndId', message: `"${row.endToEndId}" is already that of line ${earlier}` })
    }
    idLines.set(row.endToEndId, earlier ?? line)
    errors.push(...found)
    return found.length === 0 ? [row] : []
  })
  if (records.length === 0) {
    errors.push({ line: HEADER_LINE, message: 'is the only one: there are no salaries' })
  }
  return { rows, errors }
}

type Cells = Readonly<Record<(typeof COLUMNS)[number], string>>

/** A salary in a file: its cells are validated before anything is sent. */
function salaryRow(
  cells: Cells,
  line: number,
  defaultMessage: string,
): SalaryRow & { readonly errors: readonly SalaryFileError[] } {
  const { name, account, amount, message, reference, endToEndId } = cells
  const errors: SalaryFileError[] = []
  const require = (column: keyof Cells, isRight: boolean, what: string) => {
    if (!isRight) {
      errors.push({ line, column, message: what })
    }
  }
  require('name', name !== '', 'is empty')
  require('account', isAccountNumber(account), account === '' ? 'is empty' : `"${account}" is not an account number`)
  require('amount', AMOUNT.test(amount) && /[1-9]/.test(amount), amountError(amount))
  require('reference', message === '' || reference === '', 'and message are both there; a salary has one of them')
  return {
    line,
    name,
    account,
    amount: amount.replace(',', '.'),
    remittance:
      reference === '' ? { type: 'message', value: message || defaultMessage } : { type: 'ocr', value: reference },
    endToEndId,
    hasDefaultMessage: message === '' && reference === '',
    errors,
  }
}

/** The file does not say its country; the gateway validates by that of the bank. */
function isAccountNumber(text: string): boolean {
  return SERVED_COUNTRIES.some((country) => checkAccountNumber(country, text).ok)
}

function amountError(amount: string): string {
  if (amount === '') {
    return 'is empty'
  }
  return `"${amount}" is not an amount above zero with at most two decimals and no separators, for example 31250.00`
}

function errorsOfCount(cells: number, columns: number, line: number): readonly SalaryFileError[] {
  return cells === columns ? [] : [{ line, message: `has ${cells} cells, and the header line has ${columns}` }]
}

/** The one that separates most names of the header line. */
function delimiterOf(header: string): string {
  const parts = (delimiter: string) => header.split(delimiter).length
  return DELIMITERS.reduce((best, each) => (parts(each) > parts(best) ? each : best))
}

function errorsOfHeader(
  names: readonly string[],
  columns: readonly (string | undefined)[],
): readonly SalaryFileError[] {
  const known = `The columns are ${COLUMNS.join(', ')}`
  const unknown = names
    .filter((_, index) => columns[index] === undefined)
    .map((name) => ({ line: HEADER_LINE, message: `has an unknown column "${name}". ${known}` }))
  const missing = REQUIRED_COLUMNS.filter((name) => !columns.includes(name)).map((name) => ({
    line: HEADER_LINE,
    message: `has no column ${name}. ${known}`,
  }))
  const repeated = COLUMNS.filter((name) => columns.filter((column) => column === name).length > 1).map((name) => ({
    line: HEADER_LINE,
    message: `has the column ${name} twice`,
  }))
  return [...unknown, ...missing, ...repeated]
}

/** What follows the header line; the parser counts lines from there. */
function parseRecords(
  text: string,
  delimiter: string,
): { readonly records: readonly ParsedRecord[] } | { readonly error: SalaryFileError } {
  try {
    // The types of the parser do not say what `info` and `raw` add.
    const records = parse(text, {
      delimiter,
      info: true,
      raw: true,
      relax_column_count: true,
      skip_records_with_empty_values: true,
      skip_empty_lines: true,
    }) as unknown as readonly ParsedRecord[]
    return { records }
  } catch (error) {
    if (error instanceof CsvError) {
      const { lines } = error as CsvError & { readonly lines?: number }
      return { error: { line: HEADER_LINE + (lines ?? 0), message: `is no CSV: ${error.message}` } }
    }
    throw error
  }
}

export type DecodedFile = { readonly text: string; readonly encoding: 'UTF-8' | 'UTF-16' | 'Windows-1252' }

/** What is not UTF-8 is Windows-1252, which has a character for nearly every byte: of other encodings, letters would be wrong. */
export function decodeSalaries(bytes: Uint8Array): DecodedFile {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) {
    return { text: new TextDecoder('utf-16le').decode(bytes), encoding: 'UTF-16' }
  }
  if (first === 0xfe && second === 0xff) {
    return { text: new TextDecoder('utf-16be').decode(bytes), encoding: 'UTF-16' }
  }
  try {
    // The decoder removes a byte order mark.
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), encoding: 'UTF-8' }
  } catch {
    return { text: new TextDecoder('windows-1252').decode(bytes), encoding: 'Windows-1252' }
  }
}
