/** Answers whoever comes when nothing is left to do: how it ended, and the way back to the partner's program. */
import type { FastifyReply } from 'fastify'
import { sendPage } from '../../../platform/http/pages/page.ts'
import type { Onboarding, OnboardingStatus } from '../../onboarding.ts'
import type { Flow } from '../flow.ts'
import { outcomePage } from '../views/status-pages.ts'

/** What the partner's program is told; its people have done their part while we look at it. */
const toldByStatus: Readonly<Record<OnboardingStatus, 'success' | 'cancelled'>> = {
  Created: 'cancelled',
  AwaitingCustomerAction: 'cancelled',
  ManualHandling: 'success',
  Accepted: 'success',
  Rejected: 'cancelled',
  Cancelled: 'cancelled',
  Expired: 'cancelled',
}

/** The partner's address with how it ended; null where the partner gave none. A status that stands there is replaced. */
export function backToPartner({ redirectUrl, status }: Pick<Onboarding, 'redirectUrl' | 'status'>): string | null {
  if (redirectUrl === null) {
    return null
  }
  const url = new URL(redirectUrl)
  url.searchParams.set('status', toldByStatus[status])
  return url.href
}

/** Signers who came by a link of their own did not come from the partner's program. */
export function sendOutcome({ came, view }: Pick<Flow, 'came' | 'view'>, reply: FastifyReply): FastifyReply {
  const { onboarding, parties, texts, formOrigins } = view
  const back = came.signerId === null ? backToPartner(onboarding) : null
  return sendPage(reply, outcomePage({ onboarding, texts, formOrigins, partner: parties.partner, back }))
}
