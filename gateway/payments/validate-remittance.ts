/** Judges a reference or message by the rules of its country, before anybody pays with it. */
import type { RemittanceCheck, RemittanceJudgement } from '../../contract/payments/remittance-validation.ts'
import { firstStrangeTo } from '../countries/character-sets.ts'
import { MESSAGE_LENGTH } from '../countries/field-lengths.ts'
import { countryRules } from '../countries/served-countries.ts'
import { checkReference } from '../countries/structured-reference.ts'
import { tellStrangeCharacter } from '../countries/unsupported-characters.ts'
import type { Problem } from '../platform/http/errors/api-error.ts'

/** What is asked of a country that is not served cannot be judged. */
export function remittanceCheckProblems(
  { country }: RemittanceCheck,
  isSound: (path: string) => boolean,
): readonly Problem[] {
  const isServed = !isSound('.country') || countryRules(country) !== undefined
  const reason = `${country} is not served here; NO, SE, DK and FI are`
  return isServed ? [] : [{ code: 'InvalidRequest', reason, path: '.country' }]
}

/** The judgement; texts beside a reference are judged too. */
export function validateRemittance(asked: RemittanceCheck): RemittanceJudgement {
  if (asked.type === 'message') {
    return judgeMessage(asked.country, asked.value)
  }
  const checked = checkReference(asked.country, asked)
  if (!checked.ok) {
    return notValid(`The reference ${checked.reason}`)
  }
  const message = 'message' in asked ? asked.message : undefined
  const beside = message === undefined ? undefined : judgeMessage(asked.country, message)
  if (beside?.valid === false) {
    return beside
  }
  const reason = checked.warning === undefined ? null : `The reference ${checked.warning}`
  return { valid: true, checkMethod: checked.checkMethod, normalized: checked.reference, reason }
}

function judgeMessage(country: string, text: string): RemittanceJudgement {
  const length = [...text].length
  if (!/\S/.test(text)) {
    return notValid('The message says nothing')
  }
  if (length > MESSAGE_LENGTH) {
    return notValid(`The message has ${length} characters; banks take ${MESSAGE_LENGTH} at most`)
  }
  const strange = firstStrangeTo(country, text)
  return strange === undefined
    ? { valid: true, checkMethod: 'None', normalized: text, reason: null }
    : notValid(`The message ${tellStrangeCharacter(strange)}`)
}

function notValid(reason: string): RemittanceJudgement {
  return { valid: false, checkMethod: null, normalized: null, reason }
}
