/** Says in the codes of payments why a provider does not exchange what one needs, or does not book its quote. */
import type { ValidationCode } from '../../../contract/errors/error-codes.ts'
import { type FxPart, type FxProblem, type FxRefusal, isPassing } from '../../fx/providers/fx-provider-error.ts'
import { isConstraintViolation } from '../../platform/database/coalesce.ts'
import { Invalid, invalid, type Problem, refuse } from '../../platform/http/errors/api-error.ts'

type Place = { readonly path: string; readonly code: ValidationCode }

const ACCOUNT = '.to.account'
const INFORMATION = '.remittanceInformation.additionalInformation'
const ADDRESS = '.to.contactInformation.address'

const placeByPart: Readonly<Record<FxPart, Place>> = {
  name: { path: '.to.contactInformation.name', code: 'InvalidRequest' },
  iban: { path: ACCOUNT, code: 'InvalidIbanFormat' },
  bban: { path: ACCOUNT, code: 'InvalidBbanOrIban' },
  bic: { path: `${ACCOUNT}.bic`, code: 'InvalidBIC' },
  clearingCode: { path: `${ACCOUNT}.clearingCode`, code: 'InvalidRequest' },
  currency: { path: '.amount.currency', code: 'InvalidRequest' },
  country: { path: `${ADDRESS}.country`, code: 'InvalidBeneficiaryCountry' },
  bankCountry: { path: `${ACCOUNT}.bic`, code: 'InvalidBeneficiaryCountry' },
  'address.street': { path: `${ADDRESS}.streetName`, code: 'InvalidToAddress' },
  'address.city': { path: `${ADDRESS}.city`, code: 'InvalidToAddress' },
  'address.postCode': { path: `${ADDRESS}.postCode`, code: 'InvalidToAddress' },
  'address.state': { path: ADDRESS, code: 'InvalidToAddress' },
  taxCode: { path: INFORMATION, code: 'InvalidRequest' },
  amount: { path: '.amount.amount', code: 'InvalidRequest' },
  amountScale: { path: '.amount.amount', code: 'InvalidQuoteCurrencyScale' },
  buyCurrency: { path: '.amount.currency', code: 'InvalidRequest' },
  sellCurrency: { path: '.from.currency', code: 'InvalidRequest' },
  dueDate: { path: '.dueDate', code: 'InvalidDueDate' },
  reference: { path: '.remittanceInformation.message', code: 'InvalidRequest' },
  reason: { path: INFORMATION, code: 'InvalidRequest' },
  purposeCode: { path: INFORMATION, code: 'InvalidRequest' },
  payer: { path: '.from.contactInformation', code: 'InvalidRequest' },
}

const WHOLE_BODY: Place = { path: '.', code: 'InvalidRequest' }

/** The refusal that a partner reads; a provider that is away, or has let us down, did nothing that counts. */
export function refusalOfExchange(refusal: FxRefusal): Error {
  const { kind, message, problems, retryAfterSeconds } = refusal
  switch (kind) {
    case 'invalid':
      return new Invalid(problems.length === 0 ? [{ ...WHOLE_BODY, reason: message }] : problems.map(problemOf))
    case 'currency-not-traded':
      return new Invalid([{ ...placeByPart.buyCurrency, reason: `is not exchanged: ${message}` }])
    case 'due-date-refused':
      return refuse('UNSUPPORTED_DUE_DATE', `The currency is not exchanged for this due date: ${message}`)
    case 'limit':
      return new Invalid([{ ...placeByPart.amount, reason: `is not exchanged at once: ${message}` }])
    case 'closed':
    case 'rate-not-available':
      return refuse('SERVICE_CLOSED', `There is no rate at this moment: ${message}`)
    case 'quote-expired':
      return refuse('unavailable', 'The provider holds the rate no more; nothing was ordered, and it may be sent again')
    default: {
      const text = 'The provider of exchange could not be asked; nothing was ordered, and it may be sent again'
      return refuse('unavailable', text, retryAfterSeconds === undefined ? {} : { retryAfterSeconds })
    }
  }
}

function problemOf({ part, message }: FxProblem): Problem {
  return { ...(part === null ? WHOLE_BODY : placeByPart[part]), reason: `is not taken by the provider: ${message}` }
}

/** How partners are told that a quote is not booked, in the codes of their operation. */
export type Telling = {
  readonly refusalOf: (refusal: FxRefusal) => Error
  /** Where the order names the quote. */
  readonly path: string
}

/** A quote that the order names, or was given for it. */
export const CROSS_BORDER: Telling = { refusalOf: refusalOfExchange, path: '.quoteId' }

/** A quote that the message names. */
export const DOMESTIC: Telling = {
  path: '.remittanceInformation.value',
  refusalOf: ({ kind }) =>
    isPassing[kind]
      ? refuse(
          'unavailable',
          'The provider of exchange could not be asked; nothing was ordered, and it may be sent again',
        )
      : invalid(DOMESTIC.path, `names a quote that the provider does not book: ${kind}`, 'InvalidRemittanceInfo'),
}

/** What keeping a payment throws when another one has booked the quote. */
export function refusalOfKeeping(error: unknown, telling: Telling = CROSS_BORDER): unknown {
  return isConstraintViolation(error, 'payments_quote') ? takenQuote(telling) : error
}

export function takenQuote({ path }: Telling): Error {
  return path === DOMESTIC.path
    ? invalid(path, 'names a quote that was booked before; a quote is booked once', 'InvalidRemittanceInfo')
    : invalid(path, 'was booked before; a quote is booked once')
}
