/** Validates responses of the sandbox's FX provider against its published API: fields, types and codes. */
import { readFileSync } from 'node:fs'
import type { AnswerValidator, InspectedAnswer } from '../fx/public-routes.ts'

/** A type in `data/sandbox-fx/interface.json`: a type name, a list of one, an object, or an enumeration. */
type Shape = string | readonly [Shape] | Members
type Members = { readonly [member: string]: Shape | readonly string[] }

type PublishedApi = {
  readonly operations: readonly {
    readonly method: string
    readonly path: string
    readonly answer: Shape | null
    readonly errors: Readonly<Record<string, readonly string[]>>
  }[]
}

const published: PublishedApi = JSON.parse(
  readFileSync(new URL('../../data/sandbox-fx/interface.json', import.meta.url), 'utf8'),
)
const operations = new Map(published.operations.map((one) => [`${one.method} ${one.path}`, one]))

/** Codes that recorded responses have and the API's tables lack. */
const RECORDED = [
  'too_many_requests',
  'internal_application_error',
  'api_key_length_is_invalid',
  'conversion_not_found',
  'amount_is_required',
  'amount_type_is_wrong',
  'reason_is_required',
  'reference_is_required',
  'reference_is_too_short',
]
/** Codes that the API does not define; `sandbox/fx/README.md` lists them. */
const OWN = [
  'quote_not_found',
  'quote_already_used',
  'quote_expired',
  'quote_mismatch',
  'conversion_cannot_be_cancelled',
  'conversion_cancellation_failed',
  'funding_transaction_not_found',
]
/** The code that any operation may return for a parameter's format. */
const FORM_CODE =
  /_(is_required|not_in_range|is_in_invalid_format|is_not_valid_uuid|type_is_wrong|is_too_short|is_missing|is_invalid)$/

/** Fields that the API's types lack: some of recorded responses, and required beneficiary fields. */
const OTHER_MEMBERS = [
  'payer_details_source',
  'charge_type',
  'review_status',
  'iban',
  'ifsc',
  'beneficiary_company_name',
]

export const fxResponseValidator: AnswerValidator = (answer) => {
  const operation = operations.get(answer.operation)
  if (operation === undefined) {
    return [`${answer.operation} is not in the interface`]
  }
  const faults =
    answer.status === 200 ? shapeErrors(operation.answer ?? {}, answer.body, '') : errorBodyErrors(answer, operation)
  return faults.map((fault) => `${answer.operation} ${answer.status}: ${fault}`)
}

function errorBodyErrors(
  { body, status }: InspectedAnswer,
  { errors }: PublishedApi['operations'][number],
): readonly string[] {
  const { error_code, error_messages } = Object(body)
  if (typeof error_code !== 'string' || typeof error_messages !== 'object') {
    return ['is no refusal of the interface']
  }
  const known = [...Object.values(errors).flat(), ...allCodes, ...RECORDED, ...OWN]
  return Object.entries(Object(error_messages)).flatMap(([field, validationErrors]) =>
    [validationErrors].flat().flatMap((validationError) => {
      const { code, message, params } = Object(validationError)
      const isKnown = known.includes(code) || (status === 400 && FORM_CODE.test(code))
      return [
        ...(isKnown ? [] : [`the code ${code} of ${field} is not in the interface`]),
        ...(typeof message === 'string' && typeof params === 'object' ? [] : [`${field} lacks its message or params`]),
      ]
    }),
  )
}

const allCodes = published.operations.flatMap(({ errors }) => Object.values(errors).flat())

/** Null is permitted anywhere: recorded responses have it for unknown values. */
function shapeErrors(shape: Shape | readonly string[], value: unknown, at: string): readonly string[] {
  if (value === null || shape === 'any') {
    return []
  }
  if (typeof shape === 'string') {
    return (shape === 'integer' ? Number.isInteger(value) : typeof value === shape) ||
      (shape === 'integer' && Number.isInteger(value)) ||
      (shape === 'array' && Array.isArray(value)) ||
      (shape === 'object' && isObject(value))
      ? []
      : [`${at} is ${typeof value}, not ${shape}`]
  }
  if (isList(shape)) {
    const [one] = shape
    return Array.isArray(value)
      ? value.flatMap((item, index) => shapeErrors(one, item, `${at}[${index}]`))
      : [`${at} is no list`]
  }
  if (!isMembers(shape)) {
    return []
  }
  if (Array.isArray(shape['enum'])) {
    // Recorded responses have an empty text where there are no options.
    return ['', ...shape['enum'].map(String)].includes(String(value)) ? [] : [`${at} is ${value}, not in the interface`]
  }
  return isObject(value) ? fieldErrors(shape, value, at) : [`${at} is no object`]
}

function fieldErrors(shape: Members, value: Readonly<Record<string, unknown>>, at: string): readonly string[] {
  return Object.entries(value).flatMap(([name, inner]) => {
    const expected = shape[name]
    if (expected !== undefined) {
      return shapeErrors(expected, inner, `${at}.${name}`)
    }
    return OTHER_MEMBERS.includes(name) || Object.keys(shape).length === 0
      ? []
      : [`${at}.${name} is not in the interface`]
  })
}

function isList(shape: Shape | readonly string[]): shape is readonly [Shape] {
  return Array.isArray(shape)
}

function isMembers(shape: Shape | readonly string[]): shape is Members {
  return isObject(shape)
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
