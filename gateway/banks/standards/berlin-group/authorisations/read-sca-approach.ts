/** Derives the SCA approach of a started authorisation from the bank's answer. */
import type { ReportDeviation } from '../../../../platform/http/tolerant-reader.ts'
import { BankError, UnreadableAnswerError } from '../../../connector/bank-error.ts'
import type { ScaApproach } from '../../../connector/bank-profile.ts'
import { statedText } from '../../../connector/bank-text.ts'
import type { BankCaller } from '../../../connector/connector.ts'
import type { BankResponse } from '../../../connector/connector-dependencies.ts'
import type {
  ReturnUrls,
  ScaApproachDetails,
  ScaMethod,
  StartedAuthorisation,
} from '../../../connector/sca-authorisation.ts'
import { requireLinkOrApiUrl, requireLinkUrl } from '../../../transport/bank-urls.ts'
import { bankMessageOf, bankReasonOf } from '../translate-payment-status.ts'
import type { BankClient } from '../transport/bank-client.ts'
import { type Authorisation, type AuthorisationStarted, elementReporter, hrefOf, parseScaMethod } from '../wire.ts'
import { beginGrant } from './oauth.ts'
import { qrCodeOf } from './qr-code.ts'

/** The request, and the bank's answer. */
export type StartedAnswer = {
  readonly started: AuthorisationStarted
  readonly headers: BankResponse['headers']
  readonly approach: ScaApproach
  /** The OAuth scope, e.g. `PIS:` and the id. */
  readonly scope: string
  readonly back: ReturnUrls
  readonly report: ReportDeviation
}

/** Links for submitting the user's credentials (embedded approach). */
const EMBEDDED_LINK = /^(update.*|selectAuthenticationMethod|authoriseTransaction|startAuthorisationWith.*)$/
/** The link by which the user's choice of a method is submitted, which is no secret. */
const METHOD_LINK = 'selectAuthenticationMethod'
const SIGNED_AT_ONCE: ReadonlySet<string> = new Set(['exempted', 'finalised'])

/** The bank's answer decides, whatever was requested: a redirect link first, then the user's app. */
export async function readScaApproach(
  line: BankClient,
  caller: BankCaller,
  answered: StartedAnswer,
): Promise<Omit<StartedAuthorisation, 'authorisationId'>> {
  const { started, scope, back } = answered
  const certain = approachOfAnyStep(caller, answered)
  if (certain !== undefined) {
    return { approach: certain, returnSecret: null }
  }
  const scaOAuth = hrefOf(started._links, 'scaOAuth')
  if (scaOAuth !== undefined) {
    const metadata = requireLinkOrApiUrl(caller.bank, scaOAuth)
    const { url, returnSecret } = await beginGrant(line, caller.bank, { metadata, scope, back })
    return { approach: { type: 'redirect', url }, returnSecret }
  }
  const methods = scaMethodsToChoose(started, answered.report)
  requireNoSecrets(answered, methods.length > 0)
  return {
    approach: methods.length > 0 ? { type: 'method-choice', methods } : await decoupledApproach(line, caller, answered),
    returnSecret: null,
  }
}

/** The answer to the choice of a method, which has no grant of its own. */
type ChosenAnswer = { readonly started: Partial<Authorisation> } & Pick<StartedAnswer, 'headers'>

/** The approach after the user has chosen a method: the bank notifies a device, or shows a code. */
export async function readChosenApproach(
  line: BankClient,
  caller: BankCaller,
  answered: ChosenAnswer,
): Promise<ScaApproachDetails> {
  const certain = approachOfAnyStep(caller, answered)
  if (certain !== undefined) {
    return certain
  }
  requireNoSecrets(answered, true)
  const { started } = answered
  return { type: 'decoupled', text: bankMessageOf(started), qr: await qrCodeOf(line, caller.bank, started) }
}

function approachOfAnyStep({ bank }: BankCaller, { started }: ChosenAnswer): ScaApproachDetails | undefined {
  const { scaStatus = '' } = started
  const scaRedirect = hrefOf(started._links, 'scaRedirect')
  if (SIGNED_AT_ONCE.has(scaStatus)) {
    return { type: 'none' }
  }
  if (scaStatus === 'failed') {
    throw new BankError('access-denied', bankReasonOf(started) ?? 'The bank rejected the authorisation at its start')
  }
  return scaRedirect === undefined ? undefined : { type: 'redirect', url: requireLinkUrl(bank, scaRedirect) }
}

/** Throws where the bank expects passwords or codes of the user from us. */
function requireNoSecrets({ started, headers }: ChosenAnswer, hasMethods: boolean): void {
  const bankApproach = approachIn(headers)
  const links = Object.keys(started._links ?? {}).filter((name) => !hasMethods || name !== METHOD_LINK)
  const wantsSecrets = links.some((name) => EMBEDDED_LINK.test(name))
  if (bankApproach === 'EMBEDDED' || (wantsSecrets && bankApproach !== 'DECOUPLED')) {
    throw new BankError('unsupported', 'The bank requires the embedded SCA approach, which Havn does not support')
  }
}

function approachIn(headers: BankResponse['headers']): string | undefined {
  return headers['aspsp-sca-approach']?.toUpperCase()
}

/** Without a stated approach and without a redirect link, the approach is decoupled if there is an instruction. */
async function decoupledApproach(
  line: BankClient,
  caller: BankCaller,
  { started, headers, approach }: StartedAnswer,
): Promise<ScaApproachDetails> {
  const qr = await qrCodeOf(line, caller.bank, started)
  const text = bankMessageOf(started)
  if (approachIn(headers) !== 'DECOUPLED' && qr === null && text === null) {
    throw new BankError('misconfigured', 'The bank started an authorisation without an SCA approach')
  }
  if (approach === 'qr' && qr === null) {
    throw new BankError('misconfigured', 'The bank started an authorisation without a QR code for the app')
  }
  return { type: 'decoupled', text, qr }
}

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
function scaMethodsToChoose(
  { scaMethods, chosenScaMethod }: AuthorisationStarted,
  report: ReportDeviation,
): readonly ScaMethod[] {
  const listed = chosenScaMethod === undefined && Array.isArray(scaMethods) ? scaMethods : []
  const methods = listed.slice(0, METHODS_MAX).flatMap((value) => {
    const method = parseScaMethod(value, elementReporter('scaMethods', report))
    if (method === undefined) {
      return []
    }
    return {
      id: method.authenticationMethodId,
      name: textOf(method.name, NAME_CHARACTERS_MAX) ?? method.authenticationMethodId,
      explanation: textOf(method.explanation, EXPLANATION_CHARACTERS_MAX),
      hasCode: method.authenticationType === WITH_CODE,
    }
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
  return statedText(value?.replace(/\p{Cc}+/gu, ' '))?.slice(0, charactersMax) ?? null
}
