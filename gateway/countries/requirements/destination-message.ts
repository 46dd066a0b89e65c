/** Judges what a receiver abroad is told: SWIFT's set of characters, in which a few letters of ours are rewritten. */
import { firstStrangeToSepa, transliterate } from '../character-sets.ts'
import { type Findings, NOTHING_FOUND, wrong } from '../destinations/destination.ts'
import { tellStrangeCharacter } from '../unsupported-characters.ts'

/** Field 70 of SWIFT's payment messages: four lines of 35 characters. */
export const MESSAGE_CHARACTERS_MAX = 140

/** Messages that match travel as they are written; others may be rewritten, as ø to oe. Fit for a form's `pattern`, too. */
export const MESSAGE_PATTERN = `^(?!\\/)(?!.*\\/\\/)(?!.*\\/$)[a-zA-Z0-9\\/\\-?:\\(\\).,'+ ]{1,${MESSAGE_CHARACTERS_MAX}}$`

/** Why a text cannot travel, completing "It …"; undefined when it can. */
export function whyNotTold(text: string): string | undefined {
  const sent = transliterate(text)
  const strange = firstStrangeToSepa(sent)
  if (strange !== undefined) {
    return tellStrangeCharacter(strange).replace('which the bank does not take', 'which payments abroad do not take')
  }
  return sent.length > MESSAGE_CHARACTERS_MAX
    ? `has ${sent.length} characters; payments abroad take ${MESSAGE_CHARACTERS_MAX}`
    : undefined
}

export function judgeMessage(message: string | undefined): Findings {
  const reason = message === undefined ? undefined : whyNotTold(message)
  return reason === undefined ? NOTHING_FOUND : wrong({ part: 'message', fault: { kind: 'message-malformed' }, reason })
}
