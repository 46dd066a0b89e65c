/** Serves the operations of the authorisation server. */
import { scopesByEnvironment } from '../../contract/environments.ts'
import { operations } from '../../contract/operations.ts'
import type { ServerMetadata } from '../../contract/token.ts'
import type { Config } from '../config/config.ts'
import type { Context } from '../context.ts'
import { OAuthError, withSubject } from '../platform/http/errors/api-error.ts'
import { NO_STORE } from '../platform/http/errors/render-error.ts'
import type { Serve } from '../platform/http/operations/served-operation.ts'
import type { CredentialCache } from './authenticate.ts'
import { issueToken } from './issue-token.ts'
import type { PartnerCaller } from './partner-caller.ts'

export function serveAuth<Consent>(
  serve: Serve<PartnerCaller, Consent>,
  context: Context,
  credentialCache: CredentialCache,
): void {
  serve(operations.issueToken, {
    handle: ({ body, authorization }) => issueToken(context, body, authorization),
    headers: NO_STORE,
    validationErrorOf: (errors) =>
      new OAuthError('invalid_request', errors.map((one) => withSubject(one).reason).join('; '), errors),
  })
  serve(operations.getKeys, async () => {
    const { publicKeys } = await credentialCache.current()
    return { keys: publicKeys.map((key) => ({ kty: 'OKP', kid: '', ...key })) }
  })
  serve(operations.getServerMetadata, async () => metadataOf(context.config))
}

function metadataOf({ authUrl, mode }: Config): ServerMetadata {
  return {
    issuer: authUrl,
    token_endpoint: `${authUrl}${operations.issueToken.path}`,
    jwks_uri: `${authUrl}${operations.getKeys.path}`,
    grant_types_supported: ['client_credentials'],
    token_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic'],
    scopes_supported: [scopesByEnvironment[mode]],
    response_types_supported: [],
  }
}
