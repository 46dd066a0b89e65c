/** Sends the result page with the URL back to the partner. */
import type { FastifyReply } from 'fastify'
import { withStatusParameter } from '../../../authorisations/callback-url.ts'
import { sendPage } from '../../../platform/http/pages/page.ts'
import type { Onboarding, OnboardingStatus } from '../../onboarding.ts'
import type { Flow } from '../flow.ts'
import { outcomePage } from '../views/status-pages.ts'

/** The `status` value in the partner's redirect; manual handling counts as done for the company's users. */
const callbackStatusByStatus: Readonly<Record<OnboardingStatus, 'success' | 'cancelled'>> = {
  Created: 'cancelled',
  AwaitingCustomerAction: 'cancelled',
  ManualHandling: 'success',
  Accepted: 'success',
  Rejected: 'cancelled',
  Cancelled: 'cancelled',
  Expired: 'cancelled',
}

/** The partner's redirect URL with the status; null without a URL. */
export function partnerReturnUrl({ redirectUrl, status }: Pick<Onboarding, 'redirectUrl' | 'status'>): string | null {
  return redirectUrl === null ? null : withStatusParameter(redirectUrl, callbackStatusByStatus[status])
}

/** Signers with personal links are not redirected: they did not come from the partner. */
export function sendOutcome({ link, view }: Pick<Flow, 'link' | 'view'>, reply: FastifyReply): FastifyReply {
  const { onboarding, parties, texts, formOrigins } = view
  const back = link.signerId === null ? partnerReturnUrl(onboarding) : null
  return sendPage(reply, outcomePage({ onboarding, texts, formOrigins, partner: parties.partner, back }))
}
