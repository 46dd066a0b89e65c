/** A salary in a file: its cells are validated before anything is sent. */
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

type Cells = Readonly<Record<'name' | 'account' | 'amount' | 'message' | 'reference' | 'endToEndId', string>>

const AMOUNT = /^(0|[1-9]\d{0,11})([.,]\d{1,2})?$/

export function salaryRow(
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
