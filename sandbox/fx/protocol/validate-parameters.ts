/** Holds the parameters of a call against the public interface: which there are, which must come, and which words they take. */
import published from '../../../data/sandbox-fx/interface.json' with { type: 'json' }
import { faultOfText } from '../../../gateway/platform/http/validation/validate-strings.ts'
import type { Parameters } from './operation-call.ts'
import type { Problem } from './provider-api-error.ts'

type Published = {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly enum?: readonly (string | boolean)[]
}

/** The parts that texts are checked for beyond the interface's own words. */
const UUIDS = /^(id|quote_id|beneficiary_id|conversion_id|on_behalf_of)$/
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const CURRENCIES = /^(buy_|sell_)?currency$/
const CODE = /^[A-Z]{3}$/
const DATES = /^(conversion_date|payment_date|start_date|invoice_date)$/
const TEXTS = /^(reason|reference)$/

const parametersByOperation: ReadonlyMap<string, readonly Published[]> = new Map(
  published.operations.map(({ method, path, params }): [string, readonly Published[]] => [`${method} ${path}`, params]),
)

/** Everything that is wrong with the parameters of a call, in the provider's words. */
export function parameterProblems(operation: string, parameters: Parameters): readonly Problem[] {
  const known = parametersByOperation.get(operation) ?? []
  const missing = known.filter(({ name, required }) => required === true && parameters[bare(name)] === undefined)
  return [
    ...strangers(known, parameters),
    ...missing.map(({ name }) => problem(bare(name), 'is_required', 'is required')),
    ...known.flatMap((one) => formProblems(one, parameters[bare(one.name)])),
    ...Object.entries(parameters).flatMap(([name, value]) => textProblems(name, value)),
  ]
}

/** What the database would not store. */
function textProblems(name: string, value: string | undefined): readonly Problem[] {
  const fault = faultOfText(value ?? '')
  return fault === undefined ? [] : [problem(name, 'is_in_invalid_format', fault)]
}

function strangers(known: readonly Published[], parameters: Parameters): readonly Problem[] {
  const names = new Set(known.map(({ name }) => bare(name)))
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

function formProblems({ name, enum: words }: Published, value: string | undefined): readonly Problem[] {
  const field = bare(name)
  if (value === undefined) {
    return []
  }
  if (words !== undefined && !words.map(String).includes(value)) {
    return [problem(field, 'not_in_range', `should be in range: ${words.join(', ')}`)]
  }
  if (CURRENCIES.test(field) && !CODE.test(value)) {
    return [problem(field, 'is_in_invalid_format', 'is not a valid ISO 4217 currency code')]
  }
  if (UUIDS.test(field) && !UUID.test(value)) {
    return [problem(field, 'is_not_valid_uuid', 'should be in UUID format')]
  }
  if (DATES.test(field) && !isDate(value)) {
    return [problem(field, 'type_is_wrong', 'should be of date type')]
  }
  return TEXTS.test(field) && value === ''
    ? [problem(field, 'is_too_short', 'can not be shorter than 1 character(s)')]
    : []
}

function problem(field: string, fault: string, message: string): Problem {
  return { field, code: `${field}_${fault}`, message: `${field} ${message}` }
}

/** The interface writes brackets behind what may come several times. */
function bare(name: string): string {
  return name.replace(/\[[0-9]*\]$/, '')
}

function isDate(text: string): boolean {
  try {
    return Temporal.PlainDate.from(text).toString() === text
  } catch {
    return false
  }
}
