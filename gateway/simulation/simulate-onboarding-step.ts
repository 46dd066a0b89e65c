/** Simulates a step of an onboarding: actions of the company in the hosted flow, and of operators after it. */

import type { Onboarding as OnboardingShown } from '../../contract/onboarding.ts'
import type { SandboxOnboardingDetails, SandboxOnboardingStep } from '../../contract/sandbox/sandbox-onboarding.ts'
import type { Context } from '../context.ts'
import { saveSection } from '../onboarding/answers/save-section.ts'
import { submitOnboarding } from '../onboarding/answers/submit-onboarding.ts'
import { cancelOnboarding } from '../onboarding/cancel-onboarding.ts'
import { type ReviewDecision, reviewOnboarding } from '../onboarding/decision/review-onboarding.ts'
import { completeDocuments, uploadDocument } from '../onboarding/documents/upload-document.ts'
import { renderOnboarding, requireOwnOnboarding } from '../onboarding/get-onboarding.ts'
import { readCaseFile } from '../onboarding/open-case-file.ts'
import { openOnboarding } from '../onboarding/open-onboarding.ts'
import { beginSignature } from '../onboarding/signatures/begin-signature.ts'
import { recordSignature } from '../onboarding/signatures/record-signature.ts'
import {
  maySign,
  mayUploadDocuments,
  mayWrite,
  type Onboarding,
  OnboardingActionRejected,
} from '../onboarding/store/onboarding.ts'
import type { Signer } from '../onboarding/store/onboarding-signer.ts'
import { apiError } from '../platform/http/errors/api-error.ts'
import { answersFromRegistry } from './answers-from-registry.ts'
import { type Arrival, openSandboxBrowser, type SandboxBrowser } from './sandbox-browser.ts'
import { openProgramControl } from './sandbox-control.ts'

/** One step of the sandbox, with its parameters. */
export type OnboardingStepRequest = SandboxOnboardingDetails & { readonly step: SandboxOnboardingStep }

const OPERATOR = 'operator sandbox'
const SAMPLE_DOCUMENT = { name: 'sandbox.pdf', content: Buffer.from('%PDF-1.7\n% A document of the sandbox.\n') }
const DEFAULT_DOCUMENT_REQUEST = 'The articles of association, please.'

/**
 * Returns the onboarding afterwards. Throws `ONBOARDING_NOT_FOUND`, or `conflict` where the step is not possible now.
 */
export async function simulateOnboardingStep(
  context: Context,
  caller: { readonly partnerId: string },
  id: string,
  request: OnboardingStepRequest,
): Promise<OnboardingShown> {
  const onboarding = await requireOwnOnboarding(context, caller, id)
  await carryOut(context, onboarding, request)
  return renderOnboarding(await requireOwnOnboarding(context, caller, id))
}

async function carryOut(context: Context, onboarding: Onboarding, request: OnboardingStepRequest): Promise<void> {
  switch (request.step) {
    case 'fill':
      return await fill(context, onboarding)
    case 'sign':
      return await sign(context, onboarding, request.signer)
    case 'refuse':
      return await declineToSign(context, onboarding)
    case 'hand-in':
      return await uploadSampleDocument(context, onboarding)
    case 'stop':
      await cancelOnboarding(context, 'company', onboarding)
      return
    case 'accept':
      return await review(context, onboarding, { say: 'accept' })
    case 'reject':
      return await review(context, onboarding, { say: 'reject', reason: request.reason ?? 'RiskEvaluation' })
    case 'ask-for-documents':
      return await review(context, onboarding, {
        say: 'ask-for-documents',
        words: request.words ?? DEFAULT_DOCUMENT_REQUEST,
      })
    default: {
      const nothing: never = request.step
      return nothing
    }
  }
}

/** An onboarding that the registry check ends at once has nothing to fill in. */
async function fill(context: Context, onboarding: Onboarding): Promise<void> {
  const opened = await openOnboarding(context, onboarding)
  if (opened.outcome === 'registry-unavailable') {
    throw apiError('unavailable', 'The company registry does not answer')
  }
  if (opened.onboarding.status === 'Rejected') {
    return
  }
  let { revision } = requirePossible(opened.onboarding, mayWrite)
  const { answers } = await readCaseFile(context, onboarding)
  for (const section of answersFromRegistry(answers.registered)) {
    const saved = await saveSection(context, onboarding, { ...section, revision })
    if (saved.outcome !== 'saved') {
      const validationErrors = saved.outcome === 'unsound' ? JSON.stringify(saved.validationErrors) : saved.outcome
      throw apiError('conflict', `The registry’s data is not valid in section ${section.section}: ${validationErrors}`)
    }
    revision = saved.onboarding.revision
  }
  await submitOnboarding(context, onboarding, { revision })
}

async function sign(context: Context, onboarding: Onboarding, position?: number): Promise<void> {
  requirePossible(onboarding, maySign)
  const { signers } = await readCaseFile(context, onboarding)
  const waiting = signers.filter(({ status }) => status === 'Waiting')
  const wanted = position === undefined ? waiting : waiting.filter((signer) => signer.position === position)
  if (wanted.length === 0) {
    throw apiError('conflict', 'There is no outstanding signature')
  }
  for (const signer of wanted) {
    await simulateOnboardingSignature(context, signer)
  }
}

async function declineToSign(context: Context, onboarding: Onboarding): Promise<void> {
  requirePossible(onboarding, maySign)
  const { signers } = await readCaseFile(context, onboarding)
  const next = signers.find(({ status }) => status === 'Waiting')
  if (next === undefined || !(await recordSignature(context, next, { did: 'refuse' }))) {
    throw apiError('conflict', 'No signature is requested')
  }
}

async function uploadSampleDocument(context: Context, onboarding: Onboarding): Promise<void> {
  requirePossible(onboarding, mayUploadDocuments)
  await uploadDocument(context, onboarding, SAMPLE_DOCUMENT)
  await completeDocuments(context, onboarding)
}

async function review(context: Context, onboarding: Onboarding, reported: ReviewDecision): Promise<void> {
  requirePossible(onboarding, ({ status }) => status === 'ManualHandling')
  await reviewOnboarding(context, OPERATOR, onboarding, reported).catch((error: unknown) => {
    throw error instanceof OnboardingActionRejected ? apiError('conflict', error.message) : error
  })
}

function requirePossible(onboarding: Onboarding, isPossible: (onboarding: Onboarding) => boolean): Onboarding {
  if (!isPossible(onboarding)) {
    const { status, statusReason } = onboarding
    const reason = statusReason === null ? '' : ` (${statusReason})`
    throw apiError('conflict', `The step is not possible: the onboarding is ${status}${reason}`)
  }
  return onboarding
}

/** Our pages between the link and the provider, and between the provider and the end. */
const PAGES_MAX = 6

/** The signer named by the company identifies and signs. Throws `conflict` where that is not possible now. */
async function simulateOnboardingSignature(context: Context, signer: Signer): Promise<void> {
  const { config } = context
  const callbackUrl = `${config.baseUrl}/healthz`
  const begun = await beginSignature(context, signer, { callbackUrl })
  if (begun.outcome !== 'begun' || config.sandboxIdentityControlUrl === null) {
    const why =
      begun.outcome === 'closed'
        ? 'no signature is requested'
        : 'this gateway runs without HAVN_SANDBOX_IDENTITY_CONTROL_URL'
    throw apiError('conflict', `The signer cannot sign: ${why}`)
  }
  const browser = openSandboxBrowser(config.baseUrl)
  const away = await submitNextPage(browser, await browser.open(begun.url))
  await submitNextPage(
    browser,
    await browser.open(await identify(config.sandboxIdentityControlUrl, away.address, signer)),
  )
}

/** Presses the button that continues, for as long as a page has one. */
async function submitNextPage(browser: SandboxBrowser, arrived: Arrival): Promise<Arrival> {
  let arrival = arrived
  for (let pages = 0; arrival.at === 'page' && arrival.onward !== undefined && pages < PAGES_MAX; pages += 1) {
    arrival = await browser.post(arrival.onward)
  }
  return arrival
}

/** The URL to which the provider redirects the browser. */
async function identify(controlUrl: string, address: string, { name, birthDate }: Signer): Promise<string> {
  const words = name.split(' ')
  const person = { given: words.slice(0, -1).join(' '), family: words.at(-1) ?? '', birthDate }
  const provider = openProgramControl(controlUrl, 'identity provider')
  const { redirect } = Object(await provider.act('/browser', { address, decision: 'sign', ...person }))
  if (typeof redirect !== 'string') {
    throw apiError('conflict', 'The sandbox’s identity provider returned no redirect URL')
  }
  return redirect
}
