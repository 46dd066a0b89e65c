/** Reads the errors in a bank's answer, whatever its form: both formats of the standard, those of API gateways, or text. */
import { parseJson } from '../../../../platform/parse-json.ts'
import type { BankErrorDetail } from '../payments/order-errors.ts'

/** The standard's longest text has 500 characters. Nothing more of it is searched, shown or stored. */
const TEXT_CHARACTERS_MAX = 1_000
/** A bulk has at most some thousand payments, each with a few errors. */
const ERRORS_MAX = 10_000

/** Lists of errors: format A in both spellings of the standard, what format B adds, and those of API gateways. */
const STANDARD_LISTS = ['tppMessages', 'tppMessage'] as const
const FURTHER_LISTS = ['additionalErrors', 'errors'] as const
/** Fields of one error. The first is the standard's; the others are those of API gateways, and of RFC 6749. */
const CODES = ['code', 'errorCode', 'error'] as const
const TEXTS = ['text', 'detail', 'title', 'message', 'error_description', 'errorMessage', 'moreInformation'] as const

/** Format B has no field for the path: banks prefix the detail with it, e.g. `creditorAccount.bban: unknown`. */
const LEADING_PATH = /^([$/A-Za-z][\w$./[\]-]{0,200}):\s/

/** The errors in a body; empty where it has none, as a page of HTML. The code of an error is empty where it has none. */
export function parseBankErrors(body: string): readonly BankErrorDetail[] {
  return errorsOf(body)
    .slice(0, ERRORS_MAX)
    .map(({ code, path, text }) => ({
      code: code.slice(0, TEXT_CHARACTERS_MAX),
      path: path?.slice(0, TEXT_CHARACTERS_MAX) ?? null,
      text: text?.slice(0, TEXT_CHARACTERS_MAX) ?? null,
    }))
}

function errorsOf(body: string): readonly BankErrorDetail[] {
  const value = jsonOf(body)
  if (value === undefined || typeof value === 'string') {
    return errorOfText(value ?? body)
  }
  const messages = listsIn(value, STANDARD_LISTS)
  if (messages !== undefined) {
    return messages.filter(({ category }) => category !== 'WARNING').flatMap((message) => errorOf(message) ?? [])
  }
  const problems = [value].flat().filter(isObject)
  return problems.flatMap((problem) =>
    [problem, ...(listsIn(problem, FURTHER_LISTS) ?? [])].flatMap((each) => errorOf(each) ?? []),
  )
}

function jsonOf(body: string): unknown {
  try {
    return parseJson(body)
  } catch {
    return undefined
  }
}

type Fields = Readonly<Record<string, unknown>>

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The objects in the lists of these names, where there is such a list; some banks send a single object in its place. */
function listsIn(value: unknown, names: readonly string[]): readonly Fields[] | undefined {
  const lists = isObject(value) ? names.flatMap((name) => (Object.hasOwn(value, name) ? [value[name]] : [])) : []
  const found = lists.flat().filter(isObject)
  return found.length === 0 ? undefined : found
}

/** Undefined for an object that says nothing. */
function errorOf(fields: Fields): BankErrorDetail | undefined {
  const code = firstText(fields, CODES) ?? ''
  const text = firstText(fields, TEXTS)
  const path = firstText(fields, ['path']) ?? LEADING_PATH.exec(firstText(fields, ['detail']) ?? '')?.[1]
  return code === '' && text === undefined ? undefined : { code, path: path ?? null, text: text ?? null }
}

function firstText(fields: Fields, names: readonly string[]): string | undefined {
  const texts = names.map((name) => (Object.hasOwn(fields, name) ? fields[name] : undefined))
  return texts.find((value): value is string => typeof value === 'string' && value.trim() !== '')?.trim()
}

/** One error with the text. Markup is made for browsers, and damaged JSON may hold anything. */
function errorOfText(body: string): readonly BankErrorDetail[] {
  const text = body.slice(0, TEXT_CHARACTERS_MAX).replace(/\s+/g, ' ').trim()
  return text === '' || /^[<{[]/.test(text) ? [] : [{ code: '', path: null, text }]
}
