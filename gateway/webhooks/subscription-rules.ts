/** Holds what a partner asks of a subscription to the rules that no schema can tell. */
import type { WebhookSelection, WebhookSubscriptionAsked } from '../../contract/webhooks.ts'
import type { Config } from '../config.ts'
import { refuse } from '../foundation/http/refusal.ts'
import { openDestinations } from './destination.ts'

/** Together with what else a request carries it stays below the headers that common servers take. */
const BEARER_CHARACTERS_MAX = 4096

const PRINTABLE = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/

/** The address as it was sent, and each type once. Whom the address leads to is asked at each delivery. */
export function soundAsked(
  { webhookHttpAllowed }: Pick<Config, 'webhookHttpAllowed'>,
  { targetUrl, eventTypes }: WebhookSubscriptionAsked,
): { readonly targetUrl: string; readonly eventTypes: readonly WebhookSelection[] } {
  const read = openDestinations({ allowedNetworks: [], httpAllowed: webhookHttpAllowed }).read(targetUrl)
  if ('problem' in read) {
    throw refuse('bad-request', `targetUrl cannot be used. ${read.problem}`)
  }
  return { targetUrl, eventTypes: [...new Set(eventTypes)] }
}

/** Throws unless it can be sent behind `Bearer ` as it is. */
export function requireSoundBearer(bearerToken: string): void {
  const problem = problemOf(bearerToken)
  if (problem !== undefined) {
    throw refuse('bad-request', `bearerToken ${problem}`)
  }
}

function problemOf(bearerToken: string): string | undefined {
  if (bearerToken.trim() === '') {
    return 'is blank'
  }
  if (/^\s*bearer(\s|$)/i.test(bearerToken)) {
    return 'begins with Bearer; send the token alone'
  }
  if (!PRINTABLE.test(bearerToken)) {
    return 'may hold printable ASCII characters only, and no blank at its ends'
  }
  return bearerToken.length > BEARER_CHARACTERS_MAX ? `is longer than ${BEARER_CHARACTERS_MAX} characters` : undefined
}
