/** Validates the remittance text of cross-border payments: SWIFT's character set, after transliteration. */
import { findCharacterUnsupportedInSepa, transliterate } from '../character-sets.ts'
import { describeUnsupportedCharacter } from '../unsupported-characters.ts'
import { errorFinding, type Findings, NO_FINDINGS } from './destination.ts'

/** Field 70 of SWIFT's payment messages: four lines of 35 characters. */
export const MESSAGE_CHARACTERS_MAX = 140

/** Matching messages are sent unchanged; others may be transliterated, as ø to oe. Usable as `pattern` of a form. */
export const MESSAGE_PATTERN = `^(?!\\/)(?!.*\\/\\/)(?!.*\\/$)[a-zA-Z0-9\\/\\-?:\\(\\).,'+ ]{1,${MESSAGE_CHARACTERS_MAX}}$`

/** Returns why a text cannot be sent, completing "It …"; undefined if it can. */
export function messageUnsupportedReason(text: string): string | undefined {
  const sent = transliterate(text)
  const unsupported = findCharacterUnsupportedInSepa(sent)
  if (unsupported !== undefined) {
    return describeUnsupportedCharacter(unsupported).replace(
      'which the bank does not accept',
      'which payments abroad do not accept',
    )
  }
  return sent.length > MESSAGE_CHARACTERS_MAX
    ? `has ${sent.length} characters; payments abroad accept at most ${MESSAGE_CHARACTERS_MAX}`
    : undefined
}

export function validateMessage(message: string | undefined): Findings {
  const reason = message === undefined ? undefined : messageUnsupportedReason(message)
  return reason === undefined
    ? NO_FINDINGS
    : errorFinding({ part: 'message', fault: { kind: 'message-malformed' }, reason })
}
