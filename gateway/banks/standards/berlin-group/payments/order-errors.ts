/** Finds which part of an order a bank complains about, from the path and text of its error. */
import type { OrderProblem } from '../../../connector/bank-error.ts'
import { redact } from '../../../connector/redact.ts'

/** One error of a bank's answer, of either body format. */
export type BankError = { readonly code: string; readonly path: string | null; readonly text: string | null }

/** Paths come as `creditorAccount`, `creditorAccount.bban`, `/creditorAccount/bban` or `$.creditorAccount`. */
const fieldByStart: readonly (readonly [RegExp, OrderProblem['field']])[] = [
  // Swedbank's member for the text on the debtor's own statement.
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

/** Members of orders that stand for nothing that partners send under a name of its own. */
const OTHER_MEMBERS: readonly string[] = [
  ...['paymentInformationId', 'batchBookingPreferred', 'purposeCode', 'categoryPurpose', 'chargeBearer'],
  ...['serviceLevel', 'localInstrument', 'instructionIdentification', 'ultimateDebtor', 'ultimateCreditor'],
]
/** Names of members are recognised in sentences too: some banks have no path. No sentence has these words otherwise. */
const MEMBER_IN_TEXT =
  /\b(?:debtor(?:Account|Name)|creditor(?:Account|Name|Agent|Address)|instructedAmount|remittanceInformation\w+|requestedExecution(?:Date|Time)|endToEndIdentification)\b/

/** The problems that errors tell of; an error that names no part of an order is one of the field `other`. */
export function orderProblems(errors: readonly BankError[]): readonly OrderProblem[] {
  return errors.map(({ code, path, text }) => {
    const member = OTHER_MEMBERS.find((name) => segmentsOf(path).includes(name) || isNamedIn(text, name))
    const field = code === 'EXECUTION_DATE_INVALID' ? 'dueDate' : fieldAt(path ?? MEMBER_IN_TEXT.exec(text ?? '')?.[0])
    return {
      ...positionAt(path),
      field,
      ...(field === 'other' && member !== undefined ? { member } : {}),
      cause: causeIn(text ?? ''),
      text: redact(text ?? code),
    }
  })
}

function isNamedIn(text: string | null, name: string): boolean {
  return new RegExp(`\\b${name}\\b`).test(text ?? '')
}

/** Which payment of a bulk, as in `payments[17].creditorAccount` or `/payments/17/creditorAccount`. */
export function positionAt(path: string | null): Pick<OrderProblem, 'position'> {
  const digits = IN_BULK.exec(path ?? '')?.[1]
  return digits === undefined ? {} : { position: Number(digits) }
}

const IN_BULK = /(?:^|[./\]$])payments(?:\.|\/|\[)(\d{1,5})(?![\dA-Za-z])/

function segmentsOf(path: string | null | undefined): readonly string[] {
  return (path ?? '').split(/[./[\]$]+/).filter((segment) => segment !== '')
}

function fieldAt(path: string | undefined): OrderProblem['field'] {
  const found = segmentsOf(path).flatMap((segment) => fieldByStart.filter(([start]) => start.test(segment)))
  return found[0]?.[1] ?? 'other'
}

/** Length first: "at most 70 characters" speaks of characters too. */
function causeIn(text: string): OrderProblem['cause'] {
  if (TOO_LONG.test(text) || /(most|max\w*|than) \d+ characters/i.test(text)) {
    return 'too-long'
  }
  return CHARACTERS.test(text) ? 'characters' : 'invalid'
}
