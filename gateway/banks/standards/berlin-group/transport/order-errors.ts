/** Determines the rejected fields of an order from the paths and texts of the bank's errors. */
import type { OrderError } from '../../../connector/bank-error.ts'
import { redactAccountNumbers } from '../../../connector/bank-text.ts'

/** One error of a bank's answer in either body format. */
export type BankErrorDetail = { readonly code: string; readonly path: string | null; readonly text: string | null }

/** Paths come as `creditorAccount`, `creditorAccount.bban`, `/creditorAccount/bban` or `$.creditorAccount`. */
const fieldByStart: readonly (readonly [RegExp, OrderError['field']])[] = [
  // Swedbank's field for the text on the debtor's statement.
  [/^debtorAccountStatement/i, 'remittance'],
  [/^debtorAccount/i, 'debtorAccount'],
  [/^debtorName/i, 'debtorName'],
  [/^creditorAccount/i, 'creditorAccount'],
  [/^creditorName/i, 'creditorName'],
  [/^creditorAgent/i, 'creditorAgent'],
  [/^creditorAddress/i, 'creditorAddress'],
  [/^regulatoryReporting/i, 'regulatoryReporting'],
  [/^instructedAmount/i, 'amount'],
  [/^remittanceInformation/i, 'remittance'],
  [/^requestedExecution(Date|Time)/i, 'dueDate'],
  [/^endToEndId/i, 'endToEndId'],
]

const TOO_LONG = /too long|length|exceed|longest|longer|for lang/i
const CHARACTERS = /character|charset|\btegn\b/i

/** Fields of orders without a corresponding field in the public API. */
const OTHER_MEMBERS: readonly string[] = [
  ...['paymentInformationId', 'batchBookingPreferred', 'purposeCode', 'categoryPurpose', 'chargeBearer'],
  ...['serviceLevel', 'localInstrument', 'instructionIdentification', 'ultimateDebtor', 'ultimateCreditor'],
]
/** Field names are also recognised in texts, because some banks send no path. They are no ordinary words. */
const MEMBER_IN_TEXT =
  /\b(?:debtor(?:Account|Name)|creditor(?:Account|Name|Agent|Address)|instructedAmount|remittanceInformation\w+|requestedExecution(?:Date|Time)|endToEndIdentification)\b/

/** The order errors in a bank's errors; an error that names no field of an order has the field `other`. */
export function parseOrderErrors(errors: readonly BankErrorDetail[]): readonly OrderError[] {
  return errors.map(({ code, path, text }) => {
    const member = OTHER_MEMBERS.find((name) => segmentsOf(path).includes(name) || isNamedIn(text, name))
    const field = code === 'EXECUTION_DATE_INVALID' ? 'dueDate' : fieldAt(path ?? MEMBER_IN_TEXT.exec(text ?? '')?.[0])
    return {
      ...transactionPositionIn(path),
      field,
      ...(field === 'other' && member !== undefined ? { member } : {}),
      cause: causeIn(text ?? ''),
      text: redactAccountNumbers(text ?? code),
    }
  })
}

function isNamedIn(text: string | null, name: string): boolean {
  return new RegExp(`\\b${name}\\b`).test(text ?? '')
}

/** The payment of a bulk, as in `payments[17].creditorAccount` or `/payments/17/creditorAccount`. */
export function transactionPositionIn(path: string | null): Pick<OrderError, 'position'> {
  const digits = IN_BULK.exec(path ?? '')?.[1]
  return digits === undefined ? {} : { position: Number(digits) }
}

const IN_BULK = /(?:^|[./\]$])payments(?:\.|\/|\[)(\d{1,5})(?![\dA-Za-z])/

function segmentsOf(path: string | null | undefined): readonly string[] {
  return (path ?? '').split(/[./[\]$]+/).filter((segment) => segment !== '')
}

function fieldAt(path: string | undefined): OrderError['field'] {
  const found = segmentsOf(path).flatMap((segment) => fieldByStart.filter(([start]) => start.test(segment)))
  return found[0]?.[1] ?? 'other'
}

/** Length first, because "at most 70 characters" also mentions characters. */
function causeIn(text: string): OrderError['cause'] {
  if (TOO_LONG.test(text) || /(most|max\w{0,9}|than) \d{1,9} characters/i.test(text)) {
    return 'too-long'
  }
  return CHARACTERS.test(text) ? 'characters' : 'invalid'
}
