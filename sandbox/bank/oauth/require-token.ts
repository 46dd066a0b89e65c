/** Requires an access token, where the bank uses OAuth: of every call, or for resources of a grant. */

import { isId } from '../../../gateway/platform/ids.ts'
import type { Context } from '../context.ts'
import { accountOf, mayPay } from '../fixture-lookup.ts'
import { paymentById } from '../payments/payment-store.ts'
import type { Xs2aCall } from '../xs2a/xs2a-call.ts'
import { type Xs2aError, xs2aError } from '../xs2a-error.ts'
import { type GrantedToken, grantedToken, wasGranted } from './oauth-store.ts'
import { parseScope, type Service, scopeOf } from './scope.ts'

type CallByPath = Pick<Xs2aCall, 'bank' | 'headers' | 'params'> & { readonly path: string }

/** Rejects a call without the required token; a token that is sent must be valid even where none is required. */
export async function requireToken(context: Context, call: CallByPath): Promise<void> {
  if (call.bank.oauth === 'none') {
    return
  }
  const token = await findPresentedToken(context, call)
  if (call.bank.oauth === 'pre-step') {
    requireService(call, token)
  } else {
    await requireGrantOfResource(context, call, token)
  }
}

async function findPresentedToken(context: Context, { bank, headers }: CallByPath): Promise<GrantedToken | undefined> {
  if (headers.authorization === null) {
    return undefined
  }
  const [, text] = /^Bearer ([\w.~+/-]+=*)$/i.exec(headers.authorization) ?? []
  if (text === undefined) {
    throw no('TOKEN_INVALID', 'Authorization must be Bearer and a token')
  }
  const token = await grantedToken(context, bank.bic, text)
  if (token?.kind !== 'access') {
    throw no('TOKEN_UNKNOWN', 'The bank knows no such access token')
  }
  if (token.ended_at !== null) {
    throw no('TOKEN_INVALID', 'The grant of the token has ended')
  }
  if (Temporal.Instant.compare(token.expires_at, context.clock.real()) <= 0) {
    throw no('TOKEN_EXPIRED', 'The access token has expired')
  }
  return token
}

function requireService({ bank, headers, path }: CallByPath, token: GrantedToken | undefined): void {
  if (token === undefined) {
    throw no('TOKEN_UNKNOWN', 'This bank requires an access token with every call')
  }
  const scope = parseScope(bank, token.scope)
  if (scope?.type !== 'services' || !scope.services.includes(serviceOf(path))) {
    throw no('TOKEN_INVALID', `The access token is not valid for ${serviceOf(path)}`)
  }
  if (headers.psuId !== null && headers.psuId !== token.user_id) {
    throw no('TOKEN_INVALID', 'The access token is of another user than PSU-ID')
  }
}

/** A resource that was authorised by a grant requires that grant's tokens; starting another authorisation does not. */
async function requireGrantOfResource(
  context: Context,
  { bank, headers, params, path }: CallByPath,
  token: GrantedToken | undefined,
): Promise<void> {
  const isAccounts = path.startsWith('/accounts')
  if (token !== undefined && serviceOf(path) === 'PIS' && token.scope.startsWith('AIS:')) {
    throw xs2aError(403, 'SERVICE_BLOCKED', 'The access token of a consent is not valid for payments')
  }
  const id = isAccounts ? headers.consentId : (params['paymentId'] ?? params['consentId'] ?? params['basketId'] ?? null)
  if (id === null || !isId(id) || path.includes('authorisations')) {
    return
  }
  const scope = scopeOf(serviceOf(path), id.toLowerCase())
  if (token === undefined) {
    if (isAccounts || (await wasGranted(context, bank.bic, scope))) {
      throw no('TOKEN_UNKNOWN', 'This was signed by a grant and requires its access token')
    }
  } else if (token.scope !== scope && !(await mayPayResource(context, token, params['paymentId']))) {
    throw no('TOKEN_INVALID', `The access token is not for ${scope}`)
  }
}

/** A payment is accessible with the tokens of every user who may pay from its account. */
async function mayPayResource(context: Context, token: GrantedToken, id: string | undefined): Promise<boolean> {
  const payment = id === undefined ? undefined : await paymentById(context, token.bank, id)
  const account = payment && accountOf(context.fixture, payment.bank, payment.debtor)
  return account !== undefined && mayPay(context.fixture, token.user_id, account)
}

function serviceOf(path: string): Service {
  return path.startsWith('/consents') || path.startsWith('/accounts') ? 'AIS' : 'PIS'
}

function no(code: 'TOKEN_UNKNOWN' | 'TOKEN_INVALID' | 'TOKEN_EXPIRED', text: string): Xs2aError {
  return xs2aError(401, code, text)
}
