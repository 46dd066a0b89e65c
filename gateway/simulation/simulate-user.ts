/** Plays the user of a signing: from our link through the bank and back, as a browser would, for every signature left. */
import type { SandboxDecision, SandboxWay } from '../../contract/sandbox/sandbox-bank.ts'
import type { Context } from '../context.ts'
import { refuse } from '../platform/http/errors/api-error.ts'
import { latestSigning } from '../signing/find-signing.ts'
import { linkOf } from '../signing/link-of.ts'
import { settleIfReadable } from '../signing/settle-signing.ts'
import { currentStep, type Signing, type SigningKindName, type SigningKinds } from '../signing/signing.ts'
import { withStatus } from '../signing/signing-address.ts'
import { type Arrival, openSandboxBrowser, type SandboxBrowser } from './sandbox-browser.ts'
import type { SandboxControl } from './sandbox-control.ts'

/** Whose signing it is. */
export type SigningSubject = {
  readonly partnerId: string
  readonly kind: SigningKindName
  readonly subjectId: string
}

/** What the user does, and who that is; whoever the bank takes first when nobody is named. */
export type UserAct = { readonly decision: SandboxDecision; readonly userId?: string }

/** The user's tools: the bank's own side, and what rooms do with an end. */
export type UserTools = { readonly bank: SandboxControl; readonly kinds: SigningKinds }

/** More signatures than any chain has. */
const SIGNATURES_MAX = 20

/** Goes the whole way. Throws `not-found` without a signing, `conflict` when the bank takes no decision. */
export async function playUser(
  context: Context,
  { bank, kinds }: UserTools,
  subject: SigningSubject,
  act: UserAct,
): Promise<SandboxWay> {
  const browser = openSandboxBrowser(context.config.baseUrl)
  let arrival: Arrival | undefined
  for (let signature = 0; signature < SIGNATURES_MAX; signature += 1) {
    const signing = await requireSigning(context, subject)
    if (signing.status === 'ended') {
      return wayOf(signing)
    }
    arrival = await pressOn(context, browser, signing, arrival)
    const open = await requireSigning(context, subject)
    const decided = open.outcome === null ? await decide(bank, open, arrival, act) : undefined
    arrival = typeof decided === 'string' ? await browser.open(decided) : arrival
    await settleIfReadable(context, kinds[subject.kind], await requireSigning(context, subject))
    if (decided === undefined) {
      return wayOf(await requireSigning(context, subject))
    }
  }
  throw new Error('A signing wants more signatures than any chain has')
}

/** At the bank, where the browser is or in the app; where the browser is sent, null for an app, undefined when nothing is open. */
async function decide(
  bank: SandboxControl,
  signing: Signing,
  arrival: Arrival | undefined,
  act: UserAct,
): Promise<string | null | undefined> {
  if (arrival?.at === 'elsewhere') {
    return await bank.browse(arrival.address, act)
  }
  const authorisationId = currentStep(signing)?.authorisationId ?? null
  return authorisationId === null ? undefined : await bank.decide(authorisationId, act)
}

/** On a page of ours, presses the button that leads on; first of all on the one behind the link. */
async function pressOn(
  context: Context,
  browser: SandboxBrowser,
  signing: Signing,
  arrival: Arrival | undefined,
): Promise<Arrival | undefined> {
  const { sca } = linkOf(context, signing)
  const page = arrival ?? (sca?.type === 'redirect' ? await browser.open(sca.url) : undefined)
  if (page?.at !== 'page') {
    return page
  }
  const onward = page.actions.find((action) => !/\/(leave|refuse)$/.test(action))
  return onward === undefined ? page : await browser.post(onward)
}

async function requireSigning(context: Context, subject: SigningSubject): Promise<Signing> {
  const signing = await latestSigning(context, subject)
  if (signing === undefined) {
    throw refuse('not-found', `There is no ${subject.kind} with this id that a user could sign`)
  }
  return signing
}

function wayOf({ callbackUrl, outcome, status }: Signing): SandboxWay {
  return status === 'ended' && outcome !== null
    ? { outcome, callback: withStatus(callbackUrl, outcome) }
    : { outcome: null, callback: null }
}
