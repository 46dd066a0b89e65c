/** Renders a body as JSON of limited length, without secrets, tokens, national ids and the contents of payrolls. */
import { redactAccountNumbers } from '../banks/connector/redact-account-numbers.ts'
import { maskTokens, REDACTED } from '../platform/mask-tokens.ts'

/** What hides a value in addition to its name: `confidential` bodies hold salaries, of which only structure is shown. */
export type BodyKind = 'open' | 'confidential' | 'confidential error'

/** In place of what does not fit. */
const CUT = '…'
/** Longer ones are cut; no field of the API that a reader needs is longer. */
const TEXT_CHARACTERS_MAX = 1_000
const SECRET_NAME =
  /secret|password|passphrase|api_?key|assertion|^authori[sz]ation$|token$|^(user|psu|person|personal|national|identity|social_?security)_?(id|number)$|^(ssn|cpr|fnr)$/i
/** All other names may have a person's name, account, amount or message in a confidential body. */
const STRUCTURE_NAME =
  /^(id|code|failure|path|rule|docs|error_uri|type|kind|status|result|currency|country|countryCode|bic|cursor|limit|timestamp)$|(Id|Status|StatusReason|Date|DateTime|At|Until|Count|Signatures|ScaMethod)$/
/** What partners choose themselves, although the name looks like structure. */
const FREE_NAME = /^endToEndId$/
const ERROR_TEXT_NAME = /^(reason|message)$/

type Output = { text: string; readonly charactersMax: number; readonly kind: BodyKind }

/** Null without a body. Brackets are closed where the limit cuts, so that the result is JSON in any case. */
export function maskBody(body: unknown, kind: BodyKind, charactersMax: number): string | null {
  if (body === undefined || body === null) {
    return null
  }
  const output = { text: '', charactersMax, kind }
  append(output, body instanceof URLSearchParams ? Object.fromEntries(body) : body, '', false)
  return output.text
}

function append(output: Output, value: unknown, name: string, isSecret: boolean): void {
  if (typeof value === 'string') {
    output.text += JSON.stringify(shownText(output.kind, value, name, isSecret))
  } else if (typeof value === 'number') {
    output.text += isHidden(output.kind, name, isSecret) ? `"${REDACTED}"` : String(value)
  } else if (Array.isArray(value)) {
    appendList(output, value, name, isSecret)
  } else if (typeof value === 'object' && value !== null) {
    appendObject(output, value, isSecret)
  } else {
    output.text += String(value)
  }
}

function appendList(output: Output, list: readonly unknown[], name: string, isSecret: boolean): void {
  output.text += '['
  for (const [index, element] of list.entries()) {
    output.text += index === 0 ? '' : ','
    if (output.text.length >= output.charactersMax) {
      output.text += `"${CUT}"`
      break
    }
    append(output, element, name, isSecret)
  }
  output.text += ']'
}

function appendObject(output: Output, object: object, isSecret: boolean): void {
  let separator = '{'
  for (const [name, value] of Object.entries(object)) {
    if (output.text.length >= output.charactersMax) {
      output.text += `${separator}"${CUT}":"${CUT}"`
      separator = ','
      break
    }
    output.text += `${separator}${JSON.stringify(name)}:`
    append(output, value, name, isSecret || (SECRET_NAME.test(name) && !isDescription(value)))
    separator = ','
  }
  output.text += separator === '{' ? '{}' : '}'
}

/** `userId` of a bank describes how it names users. */
function isDescription(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'pattern' in value
}

function isHidden(kind: BodyKind, name: string, isSecret: boolean): boolean {
  return isSecret || (kind !== 'open' && (FREE_NAME.test(name) || !STRUCTURE_NAME.test(name)))
}

function shownText(kind: BodyKind, text: string, name: string, isSecret: boolean): string {
  if (kind === 'confidential error' && ERROR_TEXT_NAME.test(name)) {
    return redactAccountNumbers(text)
  }
  if (isHidden(kind, name, isSecret)) {
    return REDACTED
  }
  const start = text.length > TEXT_CHARACTERS_MAX ? `${text.slice(0, TEXT_CHARACTERS_MAX)}${CUT}` : text
  return maskTokens(start)
}
