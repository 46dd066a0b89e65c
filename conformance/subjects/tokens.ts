/** Provides access tokens of the partner under test and of a second partner. */
import { type CheckContext, NotApplicable } from '../check.ts'
import { valueAt } from '../expectations.ts'
import type { Answer, PartnerCredentials, TargetOptions } from '../http/exchange.ts'
import { subject } from './subject.ts'

export function tokenRequest({ scope }: Pick<TargetOptions, 'scope'>, { clientId, clientSecret }: PartnerCredentials) {
  return { grant_type: 'client_credentials', scope, client_id: clientId, client_secret: clientSecret }
}

/** The token of a successful response; undefined for any other. */
export function tokenOf({ status, body }: Answer): string | undefined {
  const token = valueAt(body, '.access_token')
  return status === 200 && typeof token === 'string' ? token : undefined
}

/** A second partner's token. */
export const otherToken = subject(async (context: CheckContext) => {
  const { otherPartner } = context.target
  if (otherPartner === undefined) {
    throw new NotApplicable('It needs a second partner: --other-client-id, and HAVN_OTHER_CLIENT_SECRET')
  }
  const token = tokenOf(await context.call('issueToken', { body: tokenRequest(context.target, otherPartner) }))
  if (token === undefined) {
    throw new NotApplicable('The second partner’s credentials were rejected')
  }
  return token
})
