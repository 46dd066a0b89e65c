/** Serves the operations on consents. */
import { operations } from '../../contract/operations.ts'
import type { PartnerCaller } from '../auth/partner-caller.ts'
import type { Context } from '../context.ts'
import type { Serve } from '../platform/http/operations/served-operation.ts'
import { type Consent, consentActorOf } from './consent.ts'
import { validateConsentRequest } from './consent-validation.ts'
import { createConsent } from './create-consent.ts'
import { getConsent, listConsents } from './get-consent.ts'
import { revokeConsent } from './revoke-consent.ts'

export function serveConsents(serve: Serve<PartnerCaller, Consent>, context: Context): void {
  serve(operations.createConsent, {
    rules: ({ caller, body }, isSound) => validateConsentRequest(context, caller, body, isSound),
    handle: ({ caller, body }) => createConsent(context, caller, body),
  })
  serve(operations.getConsent, ({ caller }) => getConsent(context, caller))
  serve(operations.listConsents, ({ caller, query }) => listConsents(context, caller, query))
  serve(operations.revokeConsent, ({ caller }) => revokeConsent(context, consentActorOf(caller)))
}
