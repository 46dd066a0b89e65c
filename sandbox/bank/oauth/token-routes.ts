/** Serves the endpoints that third parties call: metadata, token and revocation. */

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { findRow } from '../../rows.ts'
import { type Addresses, type Context, inTransaction } from '../context.ts'
import type { BankProfile } from '../fixture.ts'
import { bankUrl, WELL_KNOWN } from '../xs2a/xs2a-links.ts'
import { Xs2aError } from '../xs2a-error.ts'
import { exchangeCode, refreshTokens, TokenEndpointError, type Tokens } from './issue-tokens.ts'
import { grantedToken, revokeGrant } from './oauth-store.ts'
import { SERVICES } from './scope.ts'

type AtBank = { Params: { bank: string } }

/** The client by its certificate; undefined where the bank requires none. */
export type ClientOf = (request: FastifyRequest) => string | undefined

/** Registers the routes in a separate scope, with form parsing and OAuth errors. */
export function tokenRoutes(context: Context, scope: FastifyInstance, clientOf: ClientOf): void {
  scope.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, text, done) => {
    done(null, new URLSearchParams(String(text)))
  })
  scope.setErrorHandler(async (error, _request, reply) => await sendError(context, error, reply))
  // RFC 8414 puts it before the issuer's path, and banks put it after.
  for (const url of [`/:bank/${WELL_KNOWN}`, `/${WELL_KNOWN}/:bank`]) {
    scope.get<AtBank>(url, async (request, reply) => {
      const bank = oauthBankAt(context, request.params.bank)
      return bank === undefined
        ? await reply.code(404).send({ error: 'invalid_request', error_description: 'No such authorisation server' })
        : metadataOf(context.addresses, bank)
    })
  }
  scope.post<AtBank & { Body: unknown }>('/:bank/oauth/token', async (request, reply) => {
    reply.header('Cache-Control', 'no-store')
    const bank = oauthBankAt(context, request.params.bank)
    if (bank === undefined) {
      throw new TokenEndpointError('invalid_request', 'No such authorisation server')
    }
    return await issue(context, bank, parseForm(request.body), clientOf(request))
  })
  scope.post<AtBank & { Body: unknown }>('/:bank/oauth/revoke', async (request, reply) => {
    const bank = oauthBankAt(context, request.params.bank)
    if (bank === undefined || !supportsRevocation(bank)) {
      throw new TokenEndpointError('invalid_request', 'This server has no revocation')
    }
    const form = parseForm(request.body)
    await revokeToken(context, bank, clientIn(form, clientOf(request)), one(form, 'token'))
    return await reply.code(200).send()
  })
}

/** The bank with an authorisation server at a base path. */
export function oauthBankAt({ fixture }: Context, basePath: string): BankProfile | undefined {
  return fixture.banks.find((bank) => bank.basePath === basePath && bank.oauth !== 'none')
}

async function issue(
  context: Context,
  bank: BankProfile,
  form: URLSearchParams,
  certified: string | undefined,
): Promise<Tokens> {
  const named = clientIn(form, certified)
  switch (one(form, 'grant_type')) {
    case 'authorization_code':
      return await exchangeCode(context, bank, {
        clientId: named,
        code: one(form, 'code'),
        verifier: one(form, 'code_verifier'),
        redirectUri: one(form, 'redirect_uri'),
      })
    case 'refresh_token':
      return await refreshTokens(context, bank, named, one(form, 'refresh_token'))
    default:
      throw new TokenEndpointError('unsupported_grant_type', 'grant_type must be authorization_code or refresh_token')
  }
}

/** The client; `certified` is the certificate's organisation, if any. */
function clientIn(form: URLSearchParams, certified: string | undefined): string {
  const named = one(form, 'client_id')
  if (certified !== undefined && named !== certified) {
    throw new TokenEndpointError('invalid_client', 'client_id is not the organisation of the certificate')
  }
  return named
}

/** A parameter that must be present exactly once. */
function one(form: URLSearchParams, name: string): string {
  const [value, another] = form.getAll(name)
  if (value === undefined || value === '' || another !== undefined) {
    throw new TokenEndpointError('invalid_request', `${name} is required, once`)
  }
  return value
}

function parseForm(body: unknown): URLSearchParams {
  if (body instanceof URLSearchParams) {
    return body
  }
  throw new TokenEndpointError('invalid_request', 'The token endpoint reads application/x-www-form-urlencoded')
}

async function sendError(context: Context, error: unknown, reply: FastifyReply): Promise<FastifyReply> {
  if (error instanceof Xs2aError) {
    // The certificate of the connection is invalid.
    return await reply.code(401).send({ error: 'invalid_client', error_description: error.message })
  }
  if (error instanceof TokenEndpointError) {
    return await reply.code(error.status).send({ error: error.error, error_description: error.message })
  }
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500
  if (status >= 500) {
    context.log.error({ err: error }, 'the token endpoint failed')
    return await reply.code(500).send({ error: 'server_error', error_description: 'The bank had an internal error' })
  }
  return await reply.code(status).send({ error: 'invalid_request', error_description: 'The bank cannot read this' })
}

/** Either token revokes the whole grant; unknown tokens and another client's are ignored (RFC 7009, 2.2). */
async function revokeToken(context: Context, bank: BankProfile, clientId: string, token: string): Promise<void> {
  await inTransaction(context, async (context) => {
    const found = await grantedToken(context, bank.bic, token)
    if (found !== undefined && found.client_id === clientId) {
      await findRow(context, 'oauth_grants', { id: found.grant_id }, { lock: true })
      await revokeGrant(context, found.grant_id, context.clock.real())
    }
  })
}

/** Whether third parties can revoke grants (RFC 7009): few banks offer it. */
function supportsRevocation({ oauth }: BankProfile): boolean {
  return oauth === 'pre-step'
}

function metadataOf(addresses: Addresses, bank: BankProfile): object {
  const issuer = bankUrl(addresses, bank)
  return {
    issuer,
    authorization_endpoint: `${addresses.pagesUrl}/oauth/${bank.basePath}/authorize`,
    token_endpoint: `${issuer}/oauth/token`,
    ...(supportsRevocation(bank) ? { revocation_endpoint: `${issuer}/oauth/revoke` } : {}),
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['tls_client_auth'],
    tls_client_certificate_bound_access_tokens: false,
    scopes_supported: bank.oauth === 'integrated' ? SERVICES.map((service) => `${service}:*`) : SERVICES,
  }
}
