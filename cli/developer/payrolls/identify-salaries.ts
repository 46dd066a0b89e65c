/** Identifies the salaries of a file by what it says, so that the same salaries saved again are the same payroll. */
import { createHash } from 'node:crypto'
import { withoutSpaces } from '../../../gateway/platform/copied-text.ts'
import type { SalaryRow } from './read-salaries.ts'

export type IdentifiedSalaries = {
  /** Each has an endToEndId. */
  readonly rows: readonly SalaryRow[]
  /** Of the salaries in the order of the file. */
  readonly digest: string
}

const DIGEST_CHARACTERS = 12

/**
 * Whatever its encoding, line ends, empty lines, separators, order of columns and printed form of accounts; each salary, in any order of rows. The text of
 * `--message` does not count: with another one, a payroll that was ordered is found.
 */
export function identifySalaries(rows: readonly SalaryRow[], dueDate: string): IdentifiedSalaries {
  const salaries = rows.map(({ name, account, amount, remittance: { type, value }, hasDefaultMessage, endToEndId }) => [
    name,
    plainNumber(account),
    String(minorUnits(amount)),
    ...(hasDefaultMessage ? [] : [type, type === 'ocr' ? withoutSpaces(value) : value]),
    endToEndId,
  ])
  // In an order that is not that of the file.
  const texts = salaries.map((salary, index) => ({ index, text: JSON.stringify(salary) }))
  const sorted = texts.toSorted((one, other) => (one.text < other.text ? -1 : Number(one.text > other.text)))
  const numbers = new Map(sorted.map(({ index }, place) => [index, place + 1]))
  const prefix = `${dueDate.replaceAll('-', '')}-${digestOf(sorted.map(({ text }) => text)).slice(0, DIGEST_CHARACTERS)}`
  const withIds = rows.map((row, index) => ({
    ...row,
    endToEndId: row.endToEndId || `${prefix}-${numbers.get(index)}`,
  }))
  return { rows: withIds, digest: digestOf(salaries) }
}

/** An account in any of its printed forms: which of them one is, its country decides. */
function plainNumber(account: string): string {
  return account.replace(/[^\p{L}\p{N}]/gu, '').toUpperCase()
}

/** Of a decimal with at most two decimals. */
export function minorUnits(amount: string): bigint {
  const [whole = '0', decimals = ''] = amount.split('.')
  return BigInt(`${whole}${decimals.padEnd(2, '0').slice(0, 2)}`)
}

/** The sum of all salaries, as a decimal. */
export function totalOf(rows: readonly SalaryRow[]): string {
  const sum = String(rows.reduce((total, { amount }) => total + minorUnits(amount), 0n)).padStart(3, '0')
  return `${sum.slice(0, -2)}.${sum.slice(-2)}`
}

/** Hexadecimal SHA-256 of a value. */
export function digestOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex')
}
