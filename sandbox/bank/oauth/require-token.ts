/** Lets a call over XS2A in by its access token, where the bank wants one: for everything, or for what was signed by a grant. */

import { isId } from '../../../gateway/platform/ids.ts'
import type { BankContext } from '../bank-context.ts'
import { paymentById } from '../payments/payment-store.ts'
import { refuse, type Xs2aRefusal } from '../refusal.ts'
import { accountOf, mayPay } from '../world.ts'
import type { Xs2aCall } from '../xs2a/xs2a-call.ts'
import { type GrantedToken, grantedToken, wasGranted } from './oauth-store.ts'
import { parseScope, type Service, scopeOf } from './scope.ts'

/** A call, and which of the interface's paths it came by. */
type CallByPath = Pick<Xs2aCall, 'bank' | 'headers' | 'params'> & { readonly path: string }

/** Refuses a call without the token that it takes; one that is brought must be good even where none is asked for. */
export async function requireToken(context: BankContext, call: CallByPath): Promise<void> {
  if (call.bank.oauth === 'none') {
    return
  }
  const token = await broughtToken(context, call)
  if (call.bank.oauth === 'pre-step') {
    requireService(call, token)
  } else {
    await requireGrantOfResource(context, call, token)
  }
}

async function broughtToken(context: BankContext, { bank, headers }: CallByPath): Promise<GrantedToken | undefined> {
  if (headers.authorization === null) {
    return undefined
  }
  const [, text] = /^Bearer ([\w.~+/-]+=*)$/i.exec(headers.authorization) ?? []
  if (text === undefined) {
    throw no('TOKEN_INVALID', 'Authorization must be Bearer and a token')
  }
  const token = await grantedToken(context.database.query, bank.bic, text)
  if (token?.kind !== 'access') {
    throw no('TOKEN_UNKNOWN', 'The bank knows no such access token')
  }
  if (token.ended_at !== null) {
    throw no('TOKEN_INVALID', 'What the token was granted for has ended')
  }
  if (Temporal.Instant.compare(token.expires_at, context.clock.real()) <= 0) {
    throw no('TOKEN_EXPIRED', 'The access token has expired')
  }
  return token
}

function requireService({ bank, headers, path }: CallByPath, token: GrantedToken | undefined): void {
  if (token === undefined) {
    throw no('TOKEN_UNKNOWN', 'This bank wants an access token with every call')
  }
  const scope = parseScope(bank, token.scope)
  if (scope?.type !== 'services' || !scope.services.includes(serviceOf(path))) {
    throw no('TOKEN_INVALID', `The access token does not open ${serviceOf(path)}`)
  }
  if (headers.psuId !== null && headers.psuId !== token.user_id) {
    throw no('TOKEN_INVALID', 'The access token is another user’s than PSU-ID names')
  }
}

/** What was signed by a grant is read and changed with the tokens of that grant; signing it further is not. */
async function requireGrantOfResource(
  context: BankContext,
  { bank, headers, params, path }: CallByPath,
  token: GrantedToken | undefined,
): Promise<void> {
  const isAccounts = path.startsWith('/accounts')
  const id = isAccounts ? headers.consentId : (params['paymentId'] ?? params['consentId'] ?? params['basketId'] ?? null)
  if (id === null || !isId(id) || path.includes('authorisations')) {
    return
  }
  const scope = scopeOf(serviceOf(path), id.toLowerCase())
  if (token === undefined) {
    if (isAccounts || (await wasGranted(context.database.query, bank.bic, scope))) {
      throw no('TOKEN_UNKNOWN', 'This was signed by a grant and takes its access token')
    }
  } else if (token.scope !== scope && !(await mayPayIt(context, token, params['paymentId']))) {
    throw no('TOKEN_INVALID', `The access token is not of ${scope}`)
  }
}

/** A payment is open to the tokens of everybody who may pay from its account. */
async function mayPayIt(
  { world, database }: BankContext,
  token: GrantedToken,
  id: string | undefined,
): Promise<boolean> {
  const payment = id === undefined ? undefined : await paymentById(database.query, token.bank, id)
  const account = payment && accountOf(world, payment.bank, payment.debtor)
  return account !== undefined && mayPay(world, token.user_id, account)
}

function serviceOf(path: string): Service {
  return path.startsWith('/consents') || path.startsWith('/accounts') ? 'AIS' : 'PIS'
}

function no(code: 'TOKEN_UNKNOWN' | 'TOKEN_INVALID' | 'TOKEN_EXPIRED', text: string): Xs2aRefusal {
  return refuse(401, code, text)
}
