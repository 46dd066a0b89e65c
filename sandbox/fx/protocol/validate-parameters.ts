/** Validates the parameters of a call against the public API: known names, required ones, permitted values. */
import published from '../../../data/sandbox-fx/interface.json' with { type: 'json' }
import { stringErrorOf } from '../../../gateway/platform/http/validation/validate-strings.ts'
import type { Parameters } from './operation-call.ts'
import type { FieldError } from './provider-api-error.ts'

type PublishedParameter = {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly enum?: readonly (string | boolean)[]
}

/** Formats that are validated beyond the API's own type names. */
const UUIDS = /^(id|quote_id|beneficiary_id|conversion_id|on_behalf_of)$/
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const CURRENCIES = /^(buy_|sell_)?currency$/
const CODE = /^[A-Z]{3}$/
const DATES = /^(conversion_date|payment_date|start_date|invoice_date)$/
const TEXTS = /^(reason|reference)$/

const parametersByOperation: ReadonlyMap<string, readonly PublishedParameter[]> = new Map(
  published.operations.map(({ method, path, params }): [string, readonly PublishedParameter[]] => [
    `${method} ${path}`,
    params,
  ]),
)

/** All validation errors of a call's parameters, with the provider's codes and messages. */
export function validateParameters(operation: string, parameters: Parameters): readonly FieldError[] {
  const known = parametersByOperation.get(operation) ?? []
  const missing = known.filter(
    ({ name, required }) => required === true && parameters[withoutBrackets(name)] === undefined,
  )
  return [
    ...unknownParameterErrors(known, parameters),
    ...missing.map(({ name }) => fieldError(withoutBrackets(name), 'is_required', 'is required')),
    ...known.flatMap((one) => formatErrors(one, parameters[withoutBrackets(one.name)])),
    ...Object.entries(parameters).flatMap(([name, value]) => textErrors(name, value)),
  ]
}

/** Text that PostgreSQL cannot store. */
function textErrors(name: string, value: string | undefined): readonly FieldError[] {
  const fault = stringErrorOf(value ?? '')
  return fault === undefined ? [] : [fieldError(name, 'is_in_invalid_format', fault)]
}

function unknownParameterErrors(known: readonly PublishedParameter[], parameters: Parameters): readonly FieldError[] {
  const names = new Set(known.map(({ name }) => withoutBrackets(name)))
  const extra = Object.keys(parameters).filter((name) => !names.has(name))
  return extra.length === 0
    ? []
    : [
        {
          field: 'base',
          code: 'invalid_extra_parameters',
          message: `Invalid extra parameters ${extra.join(', ')}`,
          params: { parameters: extra.join(', ') },
        },
      ]
}

function formatErrors({ name, enum: words }: PublishedParameter, value: string | undefined): readonly FieldError[] {
  const field = withoutBrackets(name)
  if (value === undefined) {
    return []
  }
  if (words !== undefined && !words.map(String).includes(value)) {
    return [fieldError(field, 'not_in_range', `should be in range: ${words.join(', ')}`)]
  }
  if (CURRENCIES.test(field) && !CODE.test(value)) {
    return [fieldError(field, 'is_in_invalid_format', 'is not a valid ISO 4217 currency code')]
  }
  if (UUIDS.test(field) && !UUID.test(value)) {
    return [fieldError(field, 'is_not_valid_uuid', 'should be in UUID format')]
  }
  if (DATES.test(field) && !isDate(value)) {
    return [fieldError(field, 'type_is_wrong', 'should be of date type')]
  }
  return TEXTS.test(field) && value === ''
    ? [fieldError(field, 'is_too_short', 'can not be shorter than 1 character(s)')]
    : []
}

function fieldError(field: string, fault: string, message: string): FieldError {
  return { field, code: `${field}_${fault}`, message: `${field} ${message}` }
}

/** The API description marks repeatable parameters with brackets. */
function withoutBrackets(name: string): string {
  return name.replace(/\[[0-9]*\]$/, '')
}

function isDate(text: string): boolean {
  try {
    return Temporal.PlainDate.from(text).toString() === text
  } catch {
    return false
  }
}
