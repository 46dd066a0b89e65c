/** Decodes and reads a file of salaries, and reports every error in it with its line. */
import { CsvError, type Info, parse } from 'csv-parse/sync'
import { type SalaryFileError, type SalaryRow, salaryRow } from './salary-row.ts'

/** The rows without errors, in the order of the file, and all errors. */
export type SalaryFile = { readonly rows: readonly SalaryRow[]; readonly errors: readonly SalaryFileError[] }

/** Columns by their names in the header line; all of them but these are optional. */
const COLUMNS = ['name', 'account', 'amount', 'message', 'reference', 'endToEndId'] as const
const REQUIRED_COLUMNS = ['name', 'account', 'amount'] as const
const DELIMITERS = [',', ';', '\t'] as const
const HEADER_LINE = 1

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
