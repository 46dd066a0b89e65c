/** Validates a reference or message by the rules of its country, without a payment. */
import type {
  RemittanceValidation,
  RemittanceValidationRequest,
} from '../../contract/payments/remittance-validation.ts'
import {
  describeUnsupportedCharacter,
  findCharacterUnsupportedIn,
  MESSAGE_LENGTH,
} from '../countries/character-sets.ts'
import { checkReference, countryRules } from '../countries/served-countries.ts'
import type { ValidationError } from '../platform/http/errors/api-error.ts'

/** Returns an error for a country without rules. */
export function validateRemittanceCheck(
  { country }: RemittanceValidationRequest,
  isValid: (path: string) => boolean,
): readonly ValidationError[] {
  const isSupported = !isValid('.country') || countryRules(country) !== undefined
  const reason = `${country} is not served here; NO, SE, DK and FI are`
  return isSupported ? [] : [{ code: 'InvalidRequest', reason, path: '.country' }]
}

/** Returns the result; a text with a reference is validated too. */
export function validateRemittance(request: RemittanceValidationRequest): RemittanceValidation {
  if (request.type === 'message') {
    return validateMessage(request.country, request.value)
  }
  const checked = checkReference(request.country, request)
  if (!checked.ok) {
    return notValid(`The reference ${checked.reason}`)
  }
  const message = 'message' in request ? request.message : undefined
  const messageResult = message === undefined ? undefined : validateMessage(request.country, message)
  if (messageResult?.valid === false) {
    return messageResult
  }
  const reason = checked.warning === undefined ? null : `The reference ${checked.warning}`
  return { valid: true, checkMethod: checked.checkMethod, normalized: checked.reference, reason }
}

function validateMessage(country: string, text: string): RemittanceValidation {
  const length = [...text].length
  if (!/\S/.test(text)) {
    return notValid('The message is empty')
  }
  if (length > MESSAGE_LENGTH) {
    return notValid(`The message has ${length} characters; banks accept at most ${MESSAGE_LENGTH}`)
  }
  const unsupported = findCharacterUnsupportedIn(country, text)
  return unsupported === undefined
    ? { valid: true, checkMethod: 'None', normalized: text, reason: null }
    : notValid(`The message ${describeUnsupportedCharacter(unsupported)}`)
}

function notValid(reason: string): RemittanceValidation {
  return { valid: false, checkMethod: null, normalized: null, reason }
}
