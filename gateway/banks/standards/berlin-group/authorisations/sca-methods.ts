/** The methods of which the user has to choose one before the bank asks for the signature. */
import type { ReportDeviation } from '../../../../platform/http/tolerant-reader.ts'
import { UnreadableAnswerError } from '../../../connector/bank-error.ts'
import type { ScaApproach } from '../../../connector/bank-profile.ts'
import type { ScaMethod } from '../../../connector/sca-authorisation.ts'
import { type AuthorisationStarted, parseScaMethod } from '../wire.ts'

/** More than any bank has; the others are not shown. */
const METHODS_MAX = 20
/** The standard's length of a name; explanations are a sentence. */
const NAME_CHARACTERS_MAX = 100
const EXPLANATION_CHARACTERS_MAX = 300
/** The user scans a picture on the screen. */
const WITH_CODE = 'PHOTO_OTP'

/**
 * The methods in an answer, if the user has to choose; empty once one is chosen, also by the bank. Throws where none of
 * several can be read: the bank waits for a choice that the user cannot make. A single one may only be named.
 */
export function scaMethodsToChoose(
  { scaMethods, chosenScaMethod }: AuthorisationStarted,
  report: ReportDeviation,
): readonly ScaMethod[] {
  const listed = chosenScaMethod === undefined && Array.isArray(scaMethods) ? scaMethods : []
  const methods = listed.slice(0, METHODS_MAX).flatMap((value) => {
    const method = parseScaMethod(value, ({ path, reason, effect }) =>
      report({
        path: ['scaMethods[]', path].filter((name) => name !== '').join('.'),
        reason,
        effect: effect === 'unreadable' ? 'dropped' : effect,
      }),
    )
    return method === undefined
      ? []
      : [
          {
            id: method.authenticationMethodId,
            name: textOf(method.name, NAME_CHARACTERS_MAX) ?? method.authenticationMethodId,
            explanation: textOf(method.explanation, EXPLANATION_CHARACTERS_MAX),
            hasCode: method.authenticationType === WITH_CODE,
          },
        ]
  })
  if (listed.length > 1 && methods.length === 0) {
    throw new UnreadableAnswerError('unavailable', 'The bank lists SCA methods, of which none can be read')
  }
  return methods
}

/** The method that needs no question: the only one, or the only one with a code where a code is preferred. */
export function methodWithoutChoice(methods: readonly ScaMethod[], approach: ScaApproach): ScaMethod | undefined {
  const suitable = approach === 'qr' ? methods.filter(({ hasCode }) => hasCode) : methods
  return suitable.length === 1 ? suitable[0] : undefined
}

function textOf(value: string | undefined, charactersMax: number): string | null {
  const text = (value ?? '').replace(/\p{Cc}+/gu, ' ').trim()
  return text === '' ? null : text.slice(0, charactersMax)
}
